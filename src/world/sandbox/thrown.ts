/** The name under which a program is evaluated: what its own frames are called in stack traces. */
export const PROGRAM_NAME = "program";

const OWN_LINE = new RegExp(`\\b${PROGRAM_NAME}:(\\d+)`);
const PARSER_LINE = new RegExp(`^\\s*at ${PROGRAM_NAME}:\\d+`);
const GIVEN_NAMES = /redeclaration of '(?:state|self|caller|origin|attached|kernel)'/;

/** The message with the line of the program that the stack trace names first, if it names one. */
export const withLine = (message: string, stack: string): string => {
  const line = OWN_LINE.exec(stack)?.[1];
  return line === undefined ? message : `${message} (line ${line})`;
};

/** Whether the parser, or the linking of globals, made the error, and not running code. */
export const isFromParser = (message: string, stack: string): boolean =>
  message.startsWith("SyntaxError") && (PARSER_LINE.test(stack) || !OWN_LINE.test(stack));

/** The message with what an author needs to know besides. */
export const withAdvice = (message: string): string =>
  GIVEN_NAMES.test(message)
    ? `${message}: state, self, caller, origin, attached and kernel are given, do not declare them`
    : message;
