import type { Json, Sleep } from "../../../kernel/index.ts";
import { leaning } from "../leaning.ts";
import { type Move, possible, type Situation } from "../policy.ts";
import type { Listing, Loan, Proposal, Pump } from "./answers.ts";

/** Looked up in the standard library; the answer is the result of the action that asked. */
export const LOOKUPS = [
  "listings",
  "loans",
  "debts",
  "fuel",
  "ballots",
  "proposal",
  "ballot",
  "board",
] as const;
export type Lookup = (typeof LOOKUPS)[number];

/** What a policy knows and remembers of mint, escrow, credit, fuel and children. */
export type Affairs = {
  /** What the action under way has asked. */
  readonly asked: Lookup | null;
  readonly askedAt: { readonly [L in Lookup]?: number };
  readonly listings: readonly Listing[];
  /** Where the next page of them begins; null: at the beginning. */
  readonly page: number | null;
  readonly loans: readonly Loan[];
  readonly debts: readonly Loan[];
  readonly pumps: readonly Pump[];
  /** Proposals on which one can vote, and those on which it has. */
  readonly ballots: readonly Proposal[];
  readonly voted: readonly string[];
  /** Its own proposal; `passed` is null until its result has been read. */
  readonly ballot: {
    readonly proposal_id: string;
    readonly ends_ms: number;
    readonly passed: boolean | null;
  } | null;
  /** What was last read on the board, and the number of the last message. */
  readonly heard: string;
  readonly heardUpTo: number;
  /** What each artifact had earned when it was bid the last time. */
  readonly bids: { readonly [artifact: string]: number };
  /** Tasks tried, by the names of the programs tried. */
  readonly tried: { readonly [task: string]: readonly string[] };
  /** Artifacts put on sale once already. */
  readonly offered: readonly string[];
  /** Model budget put into its pump so far. */
  readonly filled: number;
  /** Set while it buys model budget; after a pump was found empty it waits until `dryUntilMs`. */
  readonly fuelling: boolean;
  readonly dryUntilMs: number;
  readonly hasGranted: boolean;
  readonly borrowedAt: number;
  readonly postedAt: number;
  readonly posted: readonly string[];
  readonly children: number;
};

export const NO_AFFAIRS: Affairs = {
  asked: null,
  askedAt: {},
  listings: [],
  page: null,
  loans: [],
  debts: [],
  pumps: [],
  ballots: [],
  voted: [],
  ballot: null,
  heard: "",
  heardUpTo: 0,
  bids: {},
  tried: {},
  offered: [],
  filled: 0,
  fuelling: false,
  dryUntilMs: 0,
  hasGranted: false,
  borrowedAt: -1_000_000,
  postedAt: 0,
  posted: [],
  children: 0,
};

/** What a chore looks at. */
export type Here = Situation<Affairs>;

/** One thing to do now, and what is to be remembered of it. */
export type Chore = {
  readonly action: Json;
  readonly why: string;
  readonly affairs: Affairs;
  readonly sleep?: Sleep;
};

/** A kind of thing to do; null when there is nothing of the kind to do now. */
export type Duty = (here: Here) => Chore | null;

/** The first duty that has something to do, as a move of the policy it belongs to. */
export const attend = <Memory extends { readonly affairs: Affairs }>(
  here: Situation<Memory>,
  duties: readonly Duty[],
): Move<Memory> | null => {
  const own = { ...here, memory: here.memory.affairs };
  for (const duty of duties) {
    const chore = possible(here.view, duty(own));
    if (chore === null) continue;
    const { affairs, ...move } = chore;
    return { ...move, memory: { ...here.memory, affairs } };
  }
  return null;
};

/** In [0.4, 1.4), fixed for an agent and a thing: minds differ, so things change hands. */
export const reckoning = (agent: string, thing: string): number =>
  0.4 + leaning(`${agent}*${thing}`);

/** Invokes an artifact of the world; what is not said is left out. */
export const call = (
  target: string,
  args: readonly Json[] = [],
  more: { readonly [field: string]: Json } = {},
): Json => {
  const [artifact_id = "", method = "run"] = target.split(".");
  return { invoke_artifact: { artifact_id, method, args, ...more } };
};
