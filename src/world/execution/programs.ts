import {
  type Attachment,
  type Json,
  type Refusal,
  type RefusalCode,
  refusal,
  type Secret,
} from "../../kernel/index.ts";
import { sha256 } from "../core/sha256.ts";
import type { FailureCode, Program } from "../sandbox/index.ts";

const CACHED_CHARS_MAX = 16 * 1024 * 1024;

/** Makes programs from code. Caches them, so that known code is not hashed again. */
export class KnownPrograms {
  readonly #programs = new Map<string, Program>();
  #cachedChars = 0;

  of(code: string): Program {
    const known = this.#programs.get(code);
    if (known !== undefined) return known;
    if (this.#cachedChars + code.length > CACHED_CHARS_MAX) {
      this.#programs.clear();
      this.#cachedChars = 0;
    }
    const program = { key: sha256(code), code };
    this.#programs.set(code, program);
    this.#cachedChars += code.length;
    return program;
  }
}

type CheckedCode = {
  readonly methods: readonly string[];
  readonly print: string;
  readonly gas: number;
};

const CHECKED_CODES_MAX = 1_000;

/** Caches the results of code checks. They depend only on the code and the world's secret. */
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
    if (this.#checked.size > CHECKED_CODES_MAX) this.#checked.delete(oldest);
  }
}

type ProgramInput = {
  readonly args: readonly Json[];
  readonly self: string;
  readonly caller: string;
  readonly origin: string;
  readonly attached: Attachment;
  readonly now: number;
};

export const inputJsonOf = ({ args, self, caller, origin, attached, now }: ProgramInput): string =>
  JSON.stringify({ args, self, caller, origin, attached, now });

const refusalCode = (code: FailureCode): RefusalCode => {
  if (code === "state_too_large") return "result_too_large";
  return code === "method_not_found" ? "not_found" : code;
};

export const refusalFor = (code: FailureCode, message: string, data?: Json): Refusal =>
  refusal(refusalCode(code), message, data);
