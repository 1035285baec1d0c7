/** Reasons are sentences; a table has room for the first of their words. */
const REASON_CHARS = 24;

/**
 * The state of an agent for a table. One that has stopped says why: that its mind was done is
 * another thing than that it went bankrupt.
 */
export const stateWords = ({
  state,
  reason,
}: {
  readonly state: string;
  readonly reason: string;
}): string => {
  if (state !== "stopped") return state;
  const [why = ""] = reason.replaceAll("_", " ").split(":");
  return `${state}, ${why.slice(0, REASON_CHARS)}`;
};
