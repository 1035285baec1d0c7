import type { MeasuredRun } from "catallaxy";

/** The Gini coefficient of amounts (Sen, 1973). */
export const gini = (amounts: readonly number[]): number => {
  const sorted = amounts.toSorted((a, b) => a - b);
  const n = sorted.length;
  const total = sorted.reduce((sum, each) => sum + each, 0);
  const weighted = sorted.reduce((sum, each, at) => sum + (2 * at + 1 - n) * each, 0);
  return weighted / (n * total);
};

/** The Gini coefficient of the players of the program `exchange` after each round. */
export const giniByRound = ({ events }: Pick<MeasuredRun, "events">): readonly number[] => {
  const found: number[] = [];
  for (const { event } of events()) {
    if (event.kind !== "artifact_state_changed" || event.artifact_id !== "exchange") continue;
    const state: State = JSON.parse(event.state);
    if (state.rounds !== undefined) found[state.rounds - 1] = gini(state.players.wealth);
  }
  return found;
};

type State = { readonly rounds?: number; readonly players: { readonly wealth: readonly number[] } };

/** The Gini coefficient after the last round. Null without a round. */
export default (run: MeasuredRun): number | null => giniByRound(run).at(-1) ?? null;
