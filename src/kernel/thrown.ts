/** What something that was thrown says, whatever it is. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** The first line of that: those that follow are for who looks for the cause. */
export const firstLineOf = (thrown: unknown): string => {
  const [line = ""] = messageOf(thrown).split("\n");
  return line;
};
