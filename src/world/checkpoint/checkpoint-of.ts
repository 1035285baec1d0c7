import type { State } from "../../kernel/index.ts";
import { damageIn } from "../damage.ts";
import { GENESIS_HASH, type Journal, JournalFailure } from "../journal/index.ts";
import { endOfOpening } from "../opening.ts";
import { restore } from "../replay.ts";
import { inSlices } from "../slices.ts";
import { type Taken, takeBeside } from "../snapshot.ts";
import { carriedBy, NOTHING_CARRIED } from "./carried-codec.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { memoryPages, type Remembered } from "./remembered.ts";

/** What a journal does not know of its run. */
export type Making = Pick<Checkpoint, "madeBy" | "config"> & {
  readonly run: Omit<Checkpoint["run"], "lineage">;
  /** What a call of a language model cost, by what the journal keeps of it. */
  readonly costMicrosOf: (body: string) => number;
  /** An event; the checkpoint is of the end of its transaction. The last one where left out. */
  readonly upTo?: number;
  /** The state after that event, where it is at hand, as of a snapshot just taken. */
  readonly taken?: Taken;
  /** Run time of the moment, where it is later than that of the last event. */
  readonly atMs?: number;
};

export type Made =
  | { readonly ok: true; readonly checkpoint: Checkpoint }
  | { readonly ok: false; readonly problem: string };

/**
 * The checkpoint of a run after any event of its journal from which a world can go on, also while
 * another process writes it. Other work goes on meanwhile, but for as long as it takes to restore a
 * state that is not `taken`.
 * @throws JournalFailure when the journal is damaged.
 */
export const checkpointOf = async (journal: Journal, making: Making): Promise<Made> => {
  if (!journal.readOnly) journal.flush();
  const base = journal.baseMark();
  const carried = base === null ? NOTHING_CARRIED : carriedBy(base);
  const wanted = making.taken?.seq ?? making.upTo ?? journal.head().seq;
  const seq = journal.transactionEnd(wanted);
  if (seq === null || seq === 0) {
    assertWhole(journal);
    const first = (base?.seq ?? 0) + (base === null ? 1 : 0);
    const problem = `there is no event ${wanted}: this run has ${first} to ${journal.head().seq}`;
    return { ok: false, problem };
  }
  const unusable = making.taken === undefined ? whyUnusable(journal, seq) : null;
  if (unusable !== null) return { ok: false, problem: unusable };
  const [event] = journal.events({ after: seq - 1, upTo: seq });
  const { state } = making.taken ?? (await takeBeside(stateAt(journal, seq), seq));
  const { madeBy, config, run } = making;
  const checkpoint: Checkpoint = {
    madeBy,
    run: { ...run, lineage: carried.lineage },
    seq,
    atMs: making.atMs ?? event?.atMs ?? base?.atMs ?? 0,
    eventHash: event?.hash ?? base?.hash ?? GENESIS_HASH,
    state,
    memories: await memoriesOf(journal, seq),
    spentMicros: carried.spentMicros + (await spentIn(journal, seq, making.costMicrosOf)),
    config,
  };
  return { ok: true, checkpoint };
};

/** @throws JournalFailure when what led to that event is not what was written. */
const whyUnusable = (journal: Journal, seq: number): string | null => {
  const opened = endOfOpening(journal);
  if (seq < opened) {
    return `its world is whole only from event ${opened} on; take that one or a later one`;
  }
  assertWhole(journal, seq);
  return null;
};

const assertWhole = (journal: Journal, upTo: number | null = null): void => {
  const damage = damageIn(journal, upTo);
  if (damage !== null) throw new JournalFailure(damage);
};

const stateAt = (journal: Journal, seq: number): State => restore(journal, { upTo: seq }).state;

const memoriesOf = async (journal: Journal, seq: number): Promise<readonly Remembered[]> => {
  const memories: Remembered[] = [];
  for await (const pages of inSlices(memoryPages(journal, seq))) {
    for (const page of pages) for (const memory of page) memories.push(memory);
  }
  return memories;
};

const spentIn = async (
  journal: Journal,
  seq: number,
  costMicrosOf: Making["costMicrosOf"],
): Promise<number> => {
  function* costs(): Generator<number> {
    for (const { body } of journal.modelCalls({ upTo: seq })) yield costMicrosOf(body);
  }
  let sum = 0;
  for await (const slice of inSlices(costs())) for (const micros of slice) sum += micros;
  return sum;
};
