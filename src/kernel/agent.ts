import type { Id } from "./ids.ts";
import type { Json } from "./json.ts";
import type { RefusalCode } from "./refusal.ts";
import type { Sleep } from "./sleep.ts";

/** The states of an agent's loop. */
export const AGENT_STATES = [
  "starting",
  "running",
  "sleeping",
  "frozen",
  "paused",
  "stopping",
  "stopped",
] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** What an agent does next, and when: it thinks, or it carries out what it has decided. */
export type Due = { readonly step: "think" | "act"; readonly atMs: number };

/** One line of an agent's own history. */
export type Deed = {
  readonly atMs: number;
  readonly action: string;
  readonly target: string | null;
  readonly method: string | null;
  readonly ok: boolean;
  readonly code: RefusalCode | null;
  readonly message: string;
};

/** What the agent reads about its last action. `result` is JSON text, cut at a bound. */
export type LastResult = Deed & { readonly result: string | null; readonly cut: boolean };

export type Counters = {
  readonly thoughts: number;
  readonly thoughtsFailed: number;
  readonly actions: number;
  readonly succeeded: number;
  /** Failures in a row, of thoughts and actions alike. */
  readonly errors: number;
  /** What its thoughts have cost, in micro-dollars. */
  readonly spentMicros: number;
};

/** How much an agent has taken into its memory. */
export type MemoryMark = {
  /** Its records, numbered from 1 on. */
  readonly count: number;
  /** Its actions, as `counters` counts them, of which it remembers all that it ever will. */
  readonly through: number;
};

export const NO_MEMORIES: MemoryMark = { count: 0, through: 0 };

/** All that a loop keeps between iterations. The kernel stores `mind` and does not read it. */
export type Agent = {
  readonly id: Id;
  /** Settles ties: of agents due at one moment the one created first goes first. */
  readonly order: number;
  readonly state: AgentState;
  readonly reason: string;
  readonly due: Due | null;
  /** The action decided on and not yet carried out, as the mind gave it. */
  readonly pending: Json;
  /** The sleep it asked for beside that action. */
  readonly sleep: Sleep | null;
  /** Raised whenever a thought under way must not count any more: each names what it saw. */
  readonly epoch: number;
  /** LLM money it lacks while frozen. */
  readonly needsMicros: number;
  readonly delayMs: number;
  readonly counters: Counters;
  readonly deeds: readonly Deed[];
  readonly failures: readonly Deed[];
  readonly last: LastResult | null;
  readonly memories: MemoryMark;
  readonly mind: Json;
};

export const NO_COUNTERS: Counters = {
  thoughts: 0,
  thoughtsFailed: 0,
  actions: 0,
  succeeded: 0,
  errors: 0,
  spentMicros: 0,
};
