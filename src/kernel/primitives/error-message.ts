export const errorMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Its first line, without a stack or other details. */
export const firstLineOf = (thrown: unknown): string => {
  const [line = ""] = errorMessage(thrown).split("\n");
  return line;
};
