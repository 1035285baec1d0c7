import type { Movement, Narrative } from "../../figures/index.ts";

/**
 * The life of an agent as moments, for every kind of mind.
 *
 * A moment is one iteration of an agent that acted or failed. An iteration that only waits is no
 * moment, except at the end of a turn. Moments are a projection over the journal and are stored
 * nowhere: the same events always give the same moments with the same ids, and a moment does not
 * change when later events arrive, except that it can earn money later. A moment keeps numbers of
 * events instead of texts. `proseOf` reads its text, and `NodeNames` makes its name, when someone
 * looks at it. The moments of a fork begin with the fork.
 *
 * Moments belong to a graph with five kinds of node: the moment, its Actor (an agent), its Space
 * (where it happened), and the Things (artifacts) and Narratives (tasks of the mint, threads of
 * messages, proposals) that it is about. `moment-graph.ts` makes the graph.
 */

/** ASSIGNMENT: a message or a task began it. COMPLETION: it ended a turn, or did both. */
const MOMENT_TYPES = ["CONVERSATION", "ASSIGNMENT", "COMPLETION"] as const;
export type MomentType = (typeof MOMENT_TYPES)[number];

/** A write of an artifact. */
export type ArtifactWrite = {
  readonly artifact: string;
  readonly version: number;
  readonly created: boolean;
  /** True if the write set code or content. False if it changed only terms, such as the price. */
  readonly content: boolean;
  readonly depends_on: readonly string[];
};

/** A movement of scrip. `later` is true if it came after the moment: the mint paid for its bid. */
export type MomentMoney = Omit<Movement, "at_ms" | "reason"> & {
  readonly later: boolean;
  /** True if the scrip was new. */
  readonly minted: boolean;
};

export type AgentMoment = {
  /** The event that ended the iteration. It identifies the moment in its run. */
  readonly seq: number;
  readonly at_ms: number;
  readonly actor: string;
  readonly type: MomentType;
  /** The event of the thought. Null for an action that no thought led to. */
  readonly thought: number | null;
  /** The kind of action, `work` in the own workspace alone, or `think` if the thought failed. */
  readonly action: string;
  readonly target: string | null;
  readonly method: string | null;
  /** The code of the refusal or the reason why the thought failed. Null after success. */
  readonly problem: string | null;
  readonly verb: string;
  readonly space: string;
  /** The moment of the same actor before this one, by `seq`. */
  readonly previous: number | null;
  /** The ids of all artifacts that it touched, without genesis contracts, which are spaces. */
  readonly things: readonly string[];
  readonly narratives: readonly Narrative[];
  readonly written: readonly ArtifactWrite[];
  /** The movements of the actor's scrip, oldest first. */
  readonly money: readonly MomentMoney[];
  /** How many names of nodes were known when it ended. */
  readonly names: number;
  /** Whether the mind keeps its conversation in its memory, as agents with tools do. */
  readonly hasTools: boolean;
};

export type MomentSums = {
  readonly paid: number;
  readonly received: number;
  /** The part of `received` that was new scrip. */
  readonly minted: number;
};

/** The money of a moment, with what it had earned up to event `upTo`. */
export const sumsOf = (
  { money }: Pick<AgentMoment, "money">,
  upTo: number = Number.MAX_SAFE_INTEGER,
): MomentSums => {
  let [paid, received, minted] = [0, 0, 0];
  for (const movement of money) {
    if (movement.seq > upTo) continue;
    if (movement.amount < 0) paid -= movement.amount;
    else received += movement.amount;
    if (movement.minted) minted += movement.amount;
  }
  return { paid, received, minted };
};
