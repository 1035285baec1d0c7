import type { Stream } from "./trail/index.ts";

/** What is left of a list of which the first are shown, so that all of it adds up. */
export const restOf = (
  streams: readonly Stream[],
  shown: number,
): { readonly streams: number; readonly amount: number; readonly times: number } => {
  const rest = streams.slice(shown);
  return {
    streams: rest.length,
    amount: rest.reduce((sum, { amount }) => sum + amount, 0),
    times: rest.reduce((sum, { times }) => sum + times, 0),
  };
};
