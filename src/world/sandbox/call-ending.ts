import type { FailureCode } from "./program.ts";

export type CallEnding =
  | { readonly kind: "finished"; readonly result: Uint8Array; readonly state: Uint8Array | null }
  | {
      readonly kind: "failed";
      readonly code: FailureCode;
      readonly message: string;
      /** The `{"code","message"}` of `kernel.fail` or of a `KernelError`. Otherwise empty. */
      readonly dataJson: string;
    };

/** Ends a call. Thrown through all engine frames, past every `catch` and `finally` of a program. */
export class CallStopped {
  readonly ending: CallEnding;

  constructor(ending: CallEnding) {
    this.ending = ending;
  }
}

export const callFailure = (code: FailureCode, message: string, dataJson = ""): CallStopped =>
  new CallStopped({ kind: "failed", code, message, dataJson });

/** The failure of a program that calls `kernel.fail(code, message)`. */
export const rejection = (code: string, message: string): CallStopped => {
  const text = message === "" ? code : `${code}: ${message}`;
  return callFailure("rejected_by_artifact", text, JSON.stringify({ code, message }));
};

/** The script name of every program. Stack traces show this name. */
export const PROGRAM_NAME = "program";

const OWN_LINE = new RegExp(`\\b${PROGRAM_NAME}:(\\d+)`);
const PARSER_LINE = new RegExp(`^\\s*at ${PROGRAM_NAME}:\\d+`);
const GIVEN_NAMES = /redeclaration of '(?:state|self|caller|origin|attached|kernel)'/;

/** The failure for an uncaught error, with the line in the program and, if known, the fix. */
export const uncaughtError = (text: string, stack: string, dataJson: string): CallStopped => {
  const line = OWN_LINE.exec(stack)?.[1];
  const located = line === undefined ? text : `${text} (line ${line})`;
  const message = GIVEN_NAMES.test(text)
    ? `${located}: do not declare state, self, caller, origin, attached or kernel; they are given`
    : located;
  return callFailure(
    isFromParser(text, stack) ? "syntax_error" : "runtime_error",
    message,
    dataJson,
  );
};

/** Whether the error comes from parsing the program or linking its globals, not from running it. */
const isFromParser = (text: string, stack: string): boolean =>
  text.startsWith("SyntaxError") && (PARSER_LINE.test(stack) || !OWN_LINE.test(stack));
