import type { Secret } from "../kernel/index.ts";

/** What was found out about a code that can be used, and the gas that finding it out takes. */
type CheckedCode = {
  readonly methods: readonly string[];
  readonly print: string;
  readonly gas: number;
};

/** Each is a few kilobytes at the most; of more the one that came first is forgotten. */
const CODES_MAX = 1_000;

/**
 * What is known of codes that were written before, by the keys of their programs: agents write the
 * same ones over and over. It is the same for the same code and secret, whoever writes it.
 */
export class CheckedCodes {
  readonly #checked = new Map<string, CheckedCode>();
  #secret: Secret | null = null;

  find(key: string, secret: Secret): CheckedCode | undefined {
    return secret === this.#secret ? this.#checked.get(key) : undefined;
  }

  note(key: string, secret: Secret, checked: CheckedCode): void {
    if (secret !== this.#secret) this.#checked.clear();
    this.#secret = secret;
    this.#checked.set(key, checked);
    const [oldest = key] = this.#checked.keys();
    if (this.#checked.size > CODES_MAX) this.#checked.delete(oldest);
  }
}
