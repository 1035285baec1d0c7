import { type Json, type Refusal, type RefusalCode, refusal } from "../kernel/index.ts";
import type { FailureCode } from "./sandbox/index.ts";

/** The engine's words for what went wrong, in the kernel's. */
const CODES: { readonly [Code in FailureCode]: RefusalCode } = {
  runtime_error: "runtime_error",
  syntax_error: "syntax_error",
  gas_exhausted: "gas_exhausted",
  memory_exhausted: "memory_exhausted",
  stack_exhausted: "stack_exhausted",
  syscalls_exhausted: "syscalls_exhausted",
  depth_exceeded: "depth_exceeded",
  result_too_large: "result_too_large",
  state_too_large: "result_too_large",
  rejected_by_artifact: "rejected_by_artifact",
  method_not_found: "not_found",
};

/** What the engine says of code that did not end well, as a refusal. */
export const refusalFor = (code: FailureCode, message: string, data?: Json): Refusal =>
  refusal(CODES[code], message, data);
