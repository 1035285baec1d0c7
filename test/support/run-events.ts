import { LogEntry, RunMeter, type RunMetrics } from "../../src/figures/index.ts";
import { asId, type Event, emptyState, type HoldId } from "../../src/kernel/index.ts";

import type { JournalRow } from "../../src/world/index.ts";
import { encodeEvent } from "../../src/world/journal/wire-codec.ts";

/** An event or a note of a run that a test makes. */
export type Happens =
  | Event
  | { readonly note: string; readonly at_ms: number; readonly body: object };

type Reason = Extract<Event, { kind: "scrip_transferred" }>["reason"];

/** Events with which an agent gets its account and its loop. */
export const comes = (id: string, scrip: number, at_ms = 0): readonly Event[] => {
  const name = asId(id);
  const own = { at_ms, principal: name, id: name };
  const quotas = { actions: 0, llm_calls: 0, llm_tokens: 0, cpu_gas: 0, bytes_written: 0 };
  const means = { scrip, llm_budget_micros: 0, disk_quota: 0, quotas, parent: null };
  const memory_artifact_id = asId(`${id}_memory`);
  const loop = { memory_artifact_id, group: null, order: id.charCodeAt(0) };
  return [
    { kind: "principal_created", ...own, ...means },
    { kind: "agent_created", ...own, ...loop, due_at_ms: at_ms },
  ];
};

/** Scrip moves from one principal to another. */
export const moves = (
  [from, to]: readonly [from: string, to: string],
  amount: number,
  { at_ms = 0, reason = "price" as Reason, by = from, artifact = null as string | null } = {},
): Event => ({
  kind: "scrip_transferred",
  at_ms,
  principal: asId(by),
  from: asId(from),
  to: asId(to),
  amount,
  reason,
  ...(artifact === null ? {} : { artifact_id: asId(artifact) }),
});

export const mints = (to: string, amount: number, { at_ms = 0, reason = "task" } = {}): Event => ({
  kind: "scrip_minted",
  at_ms,
  principal: asId(to),
  to: asId(to),
  amount,
  reason,
});

export const burns = (from: string, amount: number, at_ms = 0): Event => ({
  kind: "scrip_burned",
  at_ms,
  principal: asId(from),
  from: asId(from),
  amount,
  reason: "genesis_ledger.transfer",
});

export const holds = (from: string, amount: number, at_ms = 0): Event => ({
  kind: "scrip_held",
  at_ms,
  principal: asId(from),
  hold: `hold of ${from}` as HoldId,
  from: asId(from),
  amount,
  purpose: { kind: "bid", submission: "s" },
});

export const spendsHold = (
  [from, to]: readonly [from: string, to: string | null],
  amount: number,
  reason: Extract<Event, { kind: "hold_spent" }>["reason"] = to === null ? "burned" : "task",
): Event => ({
  kind: "hold_spent",
  at_ms: 0,
  principal: null,
  hold: `hold of ${from}` as HoldId,
  to: to === null ? null : asId(to),
  amount,
  reason,
});

/** Scrip of an agent is set aside for what a program spends. */
export const splitsHold = (from: string, program: string): Event => ({
  kind: "hold_split",
  at_ms: 0,
  principal: asId(from),
  hold: `purse of ${from}` as HoldId,
  into: `hold of ${from}` as HoldId,
  amount: 5,
  purpose: { kind: "purse", artifact: asId(program) },
});

export const collects = (from: string, amount: number): Event => ({
  kind: "proceeds_collected",
  at_ms: 0,
  principal: null,
  hold: `hold of ${from}` as HoldId,
  amount,
  artifact_id: asId("tool"),
});

export const shares = (to: string, amount: number): Event => ({
  kind: "proceeds_shared",
  at_ms: 0,
  principal: null,
  to: asId(to),
  amount,
  payer: null,
  of_price: 0,
});

export const releasesHold = (from: string, at_ms = 0): Event => ({
  kind: "hold_released",
  at_ms,
  principal: null,
  hold: `hold of ${from}` as HoldId,
  into: null,
});

export const writes = (owner: string, artifact: string, at_ms = 0): Event => ({
  kind: "artifact_written",
  at_ms,
  principal: asId(owner),
  artifact_id: asId(artifact),
  by: asId(owner),
  owner: asId(owner),
  created: true,
  version: 1,
  size_bytes: 1,
  fields: { code: "1" },
});

type Calling = {
  readonly by: string;
  readonly depth?: number;
  readonly price?: number;
  readonly to?: string;
  readonly at_ms?: number;
  readonly principal?: string;
};

/** A completed call of a program. */
export const calls = (artifact: string, calling: Calling): Event => ({
  kind: "artifact_invoked",
  at_ms: calling.at_ms ?? 0,
  principal: asId(calling.principal ?? calling.by),
  artifact_id: asId(artifact),
  method: "run",
  caller: asId(calling.by),
  depth: calling.depth ?? 0,
  price: calling.price ?? 0,
  paid_to: calling.to === undefined ? null : asId(calling.to),
  gas: 0,
});

export const reads = (by: string, artifact: string): Event => ({
  kind: "artifact_read",
  at_ms: 0,
  principal: asId(by),
  artifact_id: asId(artifact),
  by: asId(by),
  version: 1,
  price: 0,
});

export const changes = (
  id: string,
  at_ms: number,
  change: Pick<Extract<Event, { kind: "agent_state_changed" }>, "from" | "to" | "cause">,
): Event => ({
  kind: "agent_state_changed",
  at_ms,
  principal: asId(id),
  agent: asId(id),
  reason: "it changed",
  due_at_ms: null,
  ...change,
});

export const freezes = (id: string, at_ms: number): readonly Event[] => [
  {
    ...{ kind: "agent_frozen", at_ms, principal: asId(id) },
    ...{ lacks: "llm_budget", needs: 2, has: 1 },
  },
  changes(id, at_ms, { from: "running", to: "frozen" }),
];

export const thaws = (id: string, at_ms: number): readonly Event[] => [
  { kind: "agent_unfrozen", at_ms, principal: asId("patron"), agent: asId(id) },
  changes(id, at_ms, { from: "frozen", to: "running" }),
];

export const ends = (at_ms: number): Happens => ({
  note: "run_stopped",
  at_ms,
  body: { stopped_by: "duration" },
});

export const rowsOf = (happens: readonly Happens[]): readonly JournalRow[] =>
  happens.map((each, at) => {
    const row =
      "note" in each
        ? { atMs: each.at_ms, kind: each.note, principal: null, body: JSON.stringify(each.body) }
        : encodeEvent(each);
    return { ...row, seq: at + 1, hash: "" };
  });

/** A meter that has counted exactly these events and notes, with numbers from 1. */
export const meterOf = (happens: readonly Happens[]): RunMeter => {
  const meter = new RunMeter({ run: null, seq: 0, at_ms: 0 }, emptyState());
  for (const row of rowsOf(happens)) meter.event(new LogEntry(row));
  return meter;
};

/** The figures of a run with exactly these events and notes. */
export const figuresOf = (...happens: readonly (Happens | readonly Happens[])[]): RunMetrics =>
  meterOf(happens.flat()).metrics();
