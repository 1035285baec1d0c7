export const errorMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** The first line of an error's message, without a stack. */
export const firstLineOf = (thrown: unknown): string => {
  const [line = ""] = errorMessage(thrown).split("\n");
  return line;
};
