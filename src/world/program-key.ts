import { hash } from "node:crypto";

const REMEMBERED_MAX = 10_000;

/** Names program texts by their content, so that the engine can keep what it has prepared. */
export class ProgramKeys {
  readonly #keys = new Map<string, string>();

  of(code: string): string {
    const known = this.#keys.get(code);
    if (known !== undefined) return known;
    if (this.#keys.size >= REMEMBERED_MAX) this.#keys.clear();
    const key = hash("sha256", code);
    this.#keys.set(code, key);
    return key;
  }
}
