export const errorMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

export const firstLineOf = (thrown: unknown): string => {
  const [line = ""] = errorMessage(thrown).split("\n");
  return line;
};
