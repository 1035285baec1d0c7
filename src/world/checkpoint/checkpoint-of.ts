import { asId, type Result, VIEW_BOUNDS, viewOf } from "../../kernel/index.ts";
import { inSlices } from "../core/event-loop-slices.ts";
import {
  decodeEvent,
  GENESIS_HASH,
  type Journal,
  type JournalEvent,
  JournalFailure,
  type PackedSnapshot,
} from "../journal/index.ts";
import { packSnapshot, playOn, type ReplayPoint, restore } from "../replay/replay.ts";
import { endOfOpening } from "../replay/run-point.ts";
import { damageIn } from "../verify/verify-journal.ts";
import { type Checkpoint, carriedBy, type OpenThought, type RecordedMemory } from "./checkpoint.ts";

/** The input for a checkpoint, in addition to the journal of the run. */
export type CheckpointSource = Pick<Checkpoint, "madeBy" | "config"> & {
  readonly run: Omit<Checkpoint["run"], "ancestry">;
  /** Returns the cost of a model call. `body` is the record of the call in the journal. */
  readonly costMicrosOf: (body: string) => number;
  /** The number of the last event. Its whole transaction is included. Default: all events. */
  readonly upTo?: number;
  /** A snapshot that was just saved. It replaces `upTo` and makes restoring unnecessary. */
  readonly taken?: PackedSnapshot & { readonly thoughts: readonly OpenThought[] };
  /** The run time of the checkpoint in ms. Default: the time of the last included event. */
  readonly atMs?: number;
};

type Made = Result<{ checkpoint: Checkpoint }>;

/**
 * Makes a checkpoint after an event. Returns a problem if no world can continue from this event.
 * Another process may be writing the journal. Without `taken`, blocks while restoring the state.
 * @throws JournalFailure if the journal is damaged.
 */
export const checkpointOf = async (journal: Journal, making: CheckpointSource): Promise<Made> => {
  if (!journal.readOnly) journal.flush();
  const base = journal.baseMark();
  const carried = carriedBy(base);
  const wanted = making.taken?.seq ?? making.upTo ?? journal.head().seq;
  const seq = journal.transactionEnd(wanted);
  if (seq === null || seq === 0) {
    assertUndamaged(journal);
    const events = `events ${base?.seq ?? 1} to ${journal.head().seq}`;
    return { ok: false, problem: `event ${wanted} does not exist: this run has ${events}` };
  }
  if (making.taken === undefined) {
    const opened = endOfOpening(journal);
    if (seq < opened) {
      const cure = "choose that event or a later one";
      return { ok: false, problem: `its world is complete only from event ${opened} on; ${cure}` };
    }
    assertUndamaged(journal, seq);
  }
  const [event] = journal.events({ after: seq - 1, upTo: seq });
  const { state, thoughts } = making.taken ?? (await packedAt(journal, seq));
  const { madeBy, config, run } = making;
  const checkpoint: Checkpoint = {
    madeBy,
    run: { ...run, ancestry: carried.ancestry },
    seq,
    atMs: making.atMs ?? event?.atMs ?? base?.atMs ?? 0,
    eventHash: event?.hash ?? base?.hash ?? GENESIS_HASH,
    state,
    memories: await memoriesOf(journal, seq),
    thoughts,
    spentMicros: carried.spentMicros + (await spentIn(journal, seq, making.costMicrosOf)),
    config,
  };
  return { ok: true, checkpoint };
};

const assertUndamaged = (journal: Journal, upTo: number | null = null): void => {
  const damage = damageIn(journal, upTo);
  if (damage !== null) throw new JournalFailure(damage);
};

const packedAt = async (journal: Journal, seq: number) => {
  const { state } = restore(journal, { upTo: seq });
  const thoughts = openThoughts(journal, { state, seq });
  return { ...(await packSnapshot(state, seq)), thoughts };
};

const memoriesOf = async (journal: Journal, seq: number): Promise<readonly RecordedMemory[]> => {
  const memories: RecordedMemory[] = [];
  for await (const pages of inSlices(memoryPages(journal, { upTo: seq }))) {
    for (const page of pages) for (const memory of page.memories) memories.push(memory);
  }
  return memories;
};

const spentIn = async (
  journal: Journal,
  seq: number,
  costMicrosOf: CheckpointSource["costMicrosOf"],
): Promise<number> => {
  function* costs(): Generator<number> {
    for (const { body } of journal.modelCalls({ upTo: seq })) yield costMicrosOf(body);
  }
  let sum = 0;
  for await (const slice of inSlices(costs())) for (const micros of slice) sum += micros;
  return sum;
};

const PAGE_EVENTS = 4_000;

type MemoryPage = {
  readonly memories: readonly RecordedMemory[];
  /** The page holds the memories up to this event. */
  readonly through: number;
};

/**
 * Generates pages of the memories after event `after` up to event `upTo`, first the inherited ones
 * if `after` is null. Pages can be empty.
 */
export function* memoryPages(
  journal: Journal,
  { after = null, upTo }: { readonly after?: number | null; readonly upTo: number },
): Generator<MemoryPage, void, undefined> {
  const base = journal.baseMark();
  let through = Math.max(after ?? 0, base?.seq ?? 0);
  if (after === null) yield { memories: carriedBy(base).memories, through };
  while (through < upTo) {
    const range = { after: through, upTo: Math.min(through + PAGE_EVENTS, upTo) };
    through = range.upTo;
    const rows = journal.events({ ...range, kind: "memory_recorded" });
    yield { memories: [...rows].flatMap(remembered), through };
  }
}

const remembered = (row: JournalEvent): readonly RecordedMemory[] => {
  const event = decodeEvent(row);
  if (event.kind !== "memory_recorded") return [];
  const { artifact_id: artifact, number, at_ms: atMs, memory: kind, text } = event;
  return [{ artifact, number, atMs, kind, text }];
};

/**
 * Returns the thoughts in progress after event `seq`, in the order in which they started. `state`
 * is the state after event `seq`. The views come from replays of the journal, because a state does
 * not contain views. A run that was forked inherits the views of thoughts that started before.
 */
export const openThoughts = (
  journal: Journal,
  { state, seq }: Pick<ReplayPoint, "state" | "seq">,
): readonly OpenThought[] => {
  const open = new Map<string, number>();
  for (const { id, thinking } of state.agents.rows()) {
    if (thinking !== null) open.set(id, thinking.sinceMs);
  }
  if (open.size === 0) return [];
  const inherited = carriedBy(journal.baseMark()).thoughts.filter(
    ({ agent, view }) => open.get(agent) === view.now,
  );
  for (const { agent } of inherited) open.delete(agent);
  return [...inherited, ...replayedThoughts(journal, open, seq)];
};

function* replayedThoughts(
  journal: Journal,
  open: Map<string, number>,
  upTo: number,
): Iterable<OpenThought> {
  const sinceMs = Math.min(...open.values());
  let place: ReplayPoint | null = null;
  for (const row of journal.events({ upTo, sinceMs, kind: "thought_started" })) {
    const agent = row.principal;
    if (agent === null || open.get(agent) !== row.atMs) continue;
    place =
      place === null
        ? restore(journal, { upTo: row.seq })
        : playOn(journal, place, { upTo: row.seq });
    const id = asId(agent);
    const view = viewOf(place.state, id, { now: row.atMs, bounds: VIEW_BOUNDS });
    // The state plays on, so the view needs a copy.
    yield { agent: id, view: { ...view } };
  }
}
