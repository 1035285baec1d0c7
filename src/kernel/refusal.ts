import { cutText, type Json } from "./primitives/json.ts";

/** All refusal codes. The handbook lists the codes for agents. */
export const REFUSAL_CODES = [
  "missing_argument",
  "invalid_argument",
  "invalid_type",
  "not_found",
  "deleted",
  "already_exists",
  "not_owner",
  "not_authorized",
  "not_empty",
  "insufficient_funds",
  "insufficient_disk",
  "price_exceeded",
  "rate_limited",
  "quota_exceeded",
  "depth_exceeded",
  "reentrant_call",
  "interface_mismatch",
  "gas_exhausted",
  "memory_exhausted",
  "stack_exhausted",
  "syscalls_exhausted",
  "result_too_large",
  "syntax_error",
  "runtime_error",
  "rejected_by_artifact",
  "not_open",
  "tests_failed",
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** An expected failure. Its message gives the cure. `retriable`: the request may succeed later. */
export type Refusal = {
  readonly code: RefusalCode;
  readonly message: string;
  readonly retriable: boolean;
  readonly data?: Json;
};

const RETRIABLE: ReadonlySet<RefusalCode> = new Set([
  "insufficient_funds",
  "insufficient_disk",
  "rate_limited",
  "quota_exceeded",
  "not_open",
]);

/** The maximum length of a message. Messages can quote long texts and are kept in histories. */
const MESSAGE_CHARS_MAX = 1_000;

export const refusal = (code: RefusalCode, message: string, data?: Json): Refusal => ({
  code,
  message: cutText(message, MESSAGE_CHARS_MAX),
  retriable: RETRIABLE.has(code),
  ...(data === undefined ? {} : { data }),
});
