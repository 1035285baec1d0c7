import {
  type Attachment,
  BoundedResults,
  type Json,
  memoized,
  type Refusal,
  type RefusalCode,
  refusal,
} from "../../kernel/index.ts";
import { sha256 } from "../core/sha256.ts";
import type { FailureCode, Program } from "../sandbox/index.ts";

/** The program with this code. Cached, so that known code is not hashed again. */
export const programOf = memoized(
  (code: string): Program => ({ key: sha256(code), code }),
  new BoundedResults<string, Program>(500),
);

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
