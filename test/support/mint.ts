import {
  asId,
  type Command,
  type Json,
  rootOf,
  type State,
  type TrialRun,
} from "../../src/kernel/index.ts";
import { by, calls } from "./commands.ts";
import { NOW, PHYSICS } from "./physics.ts";

const { first_auction_ms, period_ms, bidding_window_ms } = PHYSICS.mint;

/** When bidding in an auction of the small physics opens and closes. */
export const opening = (auction: number): number => first_auction_ms + auction * period_ms;
export const closing = (auction: number): number => opening(auction) + bidding_window_ms;

type When = { readonly atMs?: number };

/** A principal that acts at another moment than most tests. */
export const at = (who: string, atMs: number) => ({ ...by(who), atMs });

export const bids = (who: string, artifact: string, { scrip = 5, atMs = NOW }: Bid = {}) =>
  calls(at(who, atMs), "genesis_mint.bid", { args: [artifact], scrip });
type Bid = When & { readonly scrip?: number };

export const cancels = (who: string, submission: string, { atMs = NOW }: When = {}) =>
  calls(at(who, atMs), "genesis_mint.cancel", { args: [submission] });

export const resolves = (auction = 0, atMs = closing(auction)): Command => ({
  kind: "resolve_auction",
  at_ms: atMs,
});

type Scoring = When & { readonly score?: number; readonly memo?: Json };

export const scores = (
  submission: string,
  { score = 50, memo = null, atMs = closing(0) }: Scoring = {},
): Command => ({
  kind: "score_artifact",
  at_ms: atMs,
  submission,
  score,
  reason: "it is useful",
  memo,
});

export const failsScoring = (submission: string, atMs = closing(0)): Command => ({
  kind: "fail_scoring",
  at_ms: atMs,
  submission,
  reason: "the scorer is away",
});

export const ADDITION = {
  description: "Adds two numbers.",
  public_tests: [{ args: [2, 3], result: 5 }],
  hidden_tests: [
    { args: [10, -4], result: 6 },
    { args: [0, 0], result: 0 },
  ],
} as const;

type Posting = { readonly scrip?: number; readonly task?: readonly Json[] };

export const posts = (who: string, { scrip = 20, task }: Posting = {}) => {
  const { description, public_tests, hidden_tests } = ADDITION;
  const args = task ?? [description, public_tests, hidden_tests];
  return calls(who, "genesis_mint.post_task", { args, scrip });
};

/** A task of the world's own. */
export const opensTask = (task = "adding", reward = 30): Command => ({
  kind: "open_task",
  at_ms: NOW,
  task,
  reward,
  ...ADDITION,
});

/** What the runs of a trial gave: a number is what was returned, text is why it failed. */
export const solves = (
  who: string,
  [task, artifact]: readonly [task: string, artifact: string],
  results?: readonly (number | string)[],
) => {
  const trial = results?.map(
    (result): TrialRun =>
      typeof result === "number" ? { ok: true, result } : { ok: false, message: result },
  );
  const command = calls(who, "genesis_mint.solve", { args: [task, artifact] });
  return trial === undefined ? command : { ...command, trial };
};

/** What a principal has free, and what is held of it. */
export const freeAndHeld = (state: State, id: string): readonly (number | undefined)[] => {
  const account = state.accounts.get(asId(id));
  return [account?.scrip, account?.held];
};

/** As if `parent` had spawned it, at some moment. */
export const childOf =
  (id: string, parent: string, bornAtMs = NOW) =>
  (state: State): void => {
    const [account, artifact] = [state.accounts.get(asId(id)), state.artifacts.get(asId(id))];
    if (account === undefined || artifact === undefined) throw new Error(`there is no ${id}`);
    const agent = state.agents.get(account.id);
    state.families.put(account.id, rootOf(state, asId(parent)));
    state.accounts.put(account.id, { ...account, parent: asId(parent) });
    // What is indexed by its family is put again.
    if (agent !== undefined) state.agents.put(account.id, { ...agent });
    state.artifacts.put(artifact.id, { ...artifact, createdAt: bornAtMs });
  };
