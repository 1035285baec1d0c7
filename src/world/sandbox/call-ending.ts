import type { CallEnding, FailureCode, ProgramPlace } from "./program.ts";

/** Ends a call. Thrown through all engine frames, past every `catch` and `finally` of a program. */
export class CallStopped {
  readonly ending: CallEnding;

  constructor(ending: CallEnding) {
    this.ending = ending;
  }
}

/** `dataJson` is empty if there is none. */
export const callFailure = (
  code: FailureCode,
  message: string,
  dataJson = "",
  place: ProgramPlace | null = null,
): CallStopped =>
  new CallStopped({
    ok: false,
    code,
    message,
    ...(dataJson === "" ? {} : { dataJson }),
    ...(place === null ? {} : { place }),
    timedOut: false,
  });

/** The failure of a program that calls `kernel.fail(code, message)`. */
export const rejection = (code: string, message: string): CallStopped => {
  const text = message === "" ? code : `${code}: ${message}`;
  return callFailure("rejected_by_artifact", text, JSON.stringify({ code, message }));
};

/** The script name of every program. Stack traces show this name. */
export const PROGRAM_NAME = "program";

const OWN_PLACE = new RegExp(`\\b${PROGRAM_NAME}:(\\d+)(?::(\\d+))?`);
const PARSER_LINE = new RegExp(`^\\s*at ${PROGRAM_NAME}:\\d+`);
const GIVEN_NAMES = /redeclaration of '(?:state|self|caller|origin|attached|kernel)'/;

/** The failure for an uncaught error, with the line in the program and, if known, the fix. */
export const uncaughtError = (text: string, stack: string, dataJson: string): CallStopped => {
  const [isLocated, line, column = 1] = OWN_PLACE.exec(stack) ?? [];
  const located = isLocated === undefined ? text : `${text} (line ${line})`;
  const message = GIVEN_NAMES.test(text)
    ? `${located}: do not declare state, self, caller, origin, attached or kernel; they are given`
    : located;
  const code = isFromParser(text, stack) ? "syntax_error" : "runtime_error";
  const place = isLocated === undefined ? null : { line: Number(line), column: Number(column) };
  return callFailure(code, message, dataJson, place);
};

/** Whether the error comes from parsing the program or linking its globals, not from running it. */
const isFromParser = (text: string, stack: string): boolean =>
  text.startsWith("SyntaxError") && (PARSER_LINE.test(stack) || !OWN_PLACE.test(stack));
