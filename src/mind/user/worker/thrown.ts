/** What the user's code threw, as plain text. Reading the thrown value itself can throw again. */
export type Thrown = {
  /** The first line of the reason. */
  readonly line: string;
  /** The message and the stack trace of an error; empty for any other value. */
  readonly message: string;
  readonly stack: string;
  /** The code of one of Node's errors, or null. */
  readonly code: string | null;
};

/** Never throws, whatever the getters and the methods of the value do. */
export const readThrown = (value: unknown): Thrown => {
  const isError = attempt(() => value instanceof Error) ?? false;
  if (!isError) {
    const text = attempt(() => String(value)) ?? "a value that cannot be shown";
    return { line: firstLine(`threw ${text}, not an error`), message: "", stack: "", code: null };
  }
  const message = textOf(value, "message") ?? "an error whose message cannot be read";
  return {
    line: firstLine(`${textOf(value, "name") ?? "Error"}: ${message}`),
    message,
    stack: textOf(value, "stack") ?? "",
    code: textOf(value, "code"),
  };
};

/** The property if it is a text, or else null. */
const textOf = (value: unknown, key: string): string | null => {
  const text = attempt((): unknown => Reflect.get(Object(value), key)) ?? null;
  return typeof text === "string" ? text : null;
};

const attempt = <Result>(read: () => Result): Result | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

const firstLine = (text: string): string => text.split("\n")[0] ?? "";
