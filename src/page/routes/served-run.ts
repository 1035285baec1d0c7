import type { Context } from "hono";
import { type Result, waitingProposals } from "../../kernel/index.ts";
import type { Pace } from "../../run/index.ts";
import type { RunReader } from "./reader/run-reader.ts";
import type { RunStatus } from "./run-store.ts";

/** The data that the server pushes to a page. The page requests all other data. */
export type Tick = {
  readonly first_seq: number;
  /** The run time at which the run starts: 0, or that of the fork. */
  readonly first_ms: number;
  readonly seq: number;
  readonly at_ms: number;
  readonly agents: number;
  /** The number of landmarks, as in `/marks`. */
  readonly marks: number;
  /** The number of actions that wait for a reviewer. */
  readonly waiting: number;
  readonly status: RunStatus | "unknown";
  /** Null if this server cannot control the run. */
  readonly pace: Pace | null;
  /** The number of steps that have ended while this feed was open. */
  readonly steps: number;
};

export const tickOf = (
  { base, index, marks, now }: RunReader,
  served: Pick<Tick, "status" | "pace" | "steps">,
): Tick => ({
  first_seq: index.firstSeq,
  first_ms: base.at_ms,
  seq: now.seq,
  at_ms: now.atMs,
  agents: now.state.agents.size,
  marks: marks.total,
  waiting: waitingProposals(now.state).length,
  ...served,
});

/** A run that the routes read: from its folder, or from a published page. */
export type ServedRun = {
  readonly id: string;
  readonly reader: RunReader;
  readonly tick: () => Tick;
  /** The configuration, by dotted key, as JSON texts. */
  readonly settings: () => Result<{ readonly settings: ReadonlyMap<string, string> }>;
  /** What the program of a coding agent does now, as `turn`. Null between turns. */
  readonly turnOf: (agent: string) => Promise<object>;
};

export type RunOpened<Run extends ServedRun = ServedRun> =
  | { readonly ok: true; readonly run: Run }
  | { readonly ok: false; readonly problem: string; readonly unknown: boolean };

export type ServedRuns = { readonly open: (id: string) => RunOpened };

/** Returns a response object, or a problem in one line. */
export type RunAnswer = (
  run: ServedRun,
  context: Context,
) => Promise<object | string> | object | string;
export type RunRoute = readonly [path: string, answer: RunAnswer];
