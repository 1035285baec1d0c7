import { sha256 } from "./sha256.ts";

/** Characters of code; what is over is forgotten and named anew when it comes again. */
const REMEMBERED_MAX = 16 * 1024 * 1024;

/** Names program texts by their content, so that the engine can keep what it has prepared. */
export class ProgramKeys {
  readonly #keys = new Map<string, string>();
  #remembered = 0;

  of(code: string): string {
    const known = this.#keys.get(code);
    if (known !== undefined) return known;
    if (this.#remembered + code.length > REMEMBERED_MAX) {
      this.#keys.clear();
      this.#remembered = 0;
    }
    const key = sha256(code);
    this.#keys.set(code, key);
    this.#remembered += code.length;
    return key;
  }
}
