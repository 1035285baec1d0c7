import type { Event, EventKind, State } from "../../kernel/index.ts";
import type { JournalReader } from "../../world/index.ts";
import {
  type CountedFrom,
  countedFrom,
  type LogEntry,
  type Projection,
  readLog,
  stateCountedFrom,
} from "../log/log.ts";
import { AlarmCounter, alarmLines } from "./alarms.ts";
import { type EventCounters, newCounters } from "./event-counters.ts";
import { JumpCounter } from "./movement.ts";
import type { PriceChange, ProgramSales } from "./price-index.ts";
import {
  type CountedTo,
  type KeyFigures,
  keyFiguresOf,
  metricsOf,
  type RunMetrics,
  scripInPrograms,
} from "./run-metrics.ts";
import { type SampleValues, Sampling, sampleOf, type Timeline } from "./timeline.ts";

/**
 * Kinds that no counter counts, but that have much of a journal's text: the state of programs, such
 * as the whole book of the escrow after each of its calls, and what agents remember.
 */
export const UNCOUNTED: readonly string[] = [
  "artifact_state_changed",
  "memory_recorded",
] satisfies readonly EventKind[];

/**
 * The values after the last counted event, with the wealth of all agents, and the sums since the
 * start of the run. Two of them give what changed in between. It shares nothing with the meter.
 */
export type MeterSnapshot = Omit<SampleValues, "wealth"> & {
  readonly wealth: ReadonlyMap<string, number>;
  readonly salesByProgram: ReadonlyMap<string, ProgramSales>;
};

/** The figures for `sim run` and for the table of agents, computed faster than `RunMetrics`. */
export type RunFigures = ReturnType<RunMeter["figures"]>;

/**
 * Computes all figures of a run from the events after its base. The figures can be read at any time.
 * Memory use is O(world size), not O(events).
 */
export class RunMeter implements Projection {
  readonly #counted: CountedTo;
  readonly #counters: EventCounters;
  readonly #all: readonly EventCounters[keyof EventCounters][];
  /** The principal that owns a hold, as of the last event. */
  readonly ownerOf = (hold: string): string | null => this.#counters.balances.ownerOf(hold);
  readonly jumps = new JumpCounter();
  readonly #alarms = new AlarmCounter();
  readonly #sampling: Sampling;
  /** The integral of the scrip supply over run time in ms, up to the last event. */
  #supplyTime = 0;

  /** `state` is the state at the base. The meter keeps no reference to `state`. */
  constructor(base: CountedFrom, state: State) {
    this.#counted = { base, events: 0, lastSeq: base.seq, atMs: base.at_ms };
    this.#counters = newCounters(state, base.at_ms);
    this.#all = Object.values(this.#counters);
    this.#sampling = new Sampling(base.at_ms, (atMs) =>
      sampleOf(this.#counters, { atMs, supplyTime: this.#supplyTimeAt(atMs) }),
    );
  }

  /** Counts an event. A note about the run changes only the number of events and the alarms. */
  event(entry: LogEntry): void {
    const { row } = entry;
    if (row.atMs > this.#counted.atMs) this.#passTo(row.atMs);
    this.#counted.events += 1;
    this.#counted.lastSeq = row.seq;
    if (UNCOUNTED.includes(row.kind)) return;
    if (entry.event === null) this.#alarms.count(row);
    else this.#countEvent(entry.event, row.seq);
  }

  #countEvent(event: Event, seq: number): void {
    const { prices } = this.#counters;
    this.jumps.count(event, seq, this.ownerOf);
    for (const counter of this.#all) counter.count(event, this.ownerOf, seq);
    const { change } = prices;
    if (change?.seq !== seq) return;
    this.jumps.countPrice({ seq, at_ms: event.at_ms, amount: change.amount });
  }

  /** The last change of a price that moved the price index, or null. */
  get priceChange(): PriceChange | null {
    return this.#counters.prices.change;
  }

  snapshot(): MeterSnapshot {
    const { roster, prices } = this.#counters;
    const { wealth, ...sample } = sampleOf(this.#counters, {
      atMs: this.#counted.atMs,
      supplyTime: this.#supplyTime,
    });
    const agents = new Map(roster.ids().map((id, order) => [id, wealth[order] ?? 0]));
    return { ...sample, wealth: agents, salesByProgram: prices.salesByProgram() };
  }

  figures() {
    const { activity, incomes, balances, graph, sales, roster } = this.#counters;
    const { base, atMs } = this.#counted;
    const inPrograms = scripInPrograms(this.#counters);
    return {
      ...this.#counted,
      activity: activity.total(),
      supply: balances.supply,
      statuses: roster.statuses(),
      proceeds: sales.proceeds(),
      compute: sales.compute(),
      schedule: activity.scheduled(),
      actionsOf: (id: string) => activity.actionsOf(id),
      thoughtsOf: (id: string) => activity.thoughtsOf(id),
      incomeOf: (id: string) => incomes.of(id),
      accountOf: (id: string) => ({
        began_with: balances.beganWith(id),
        paid: graph.paidBy(id),
        in_own_programs: inPrograms.get(id) ?? 0,
      }),
      alarms: this.#alarms.lines({ fromMs: base.at_ms, toMs: atMs }),
    };
  }

  metrics(): RunMetrics {
    return metricsOf(this.#countedNow(), this.timeline());
  }

  keyFigures(): KeyFigures {
    return keyFiguresOf(this.#countedNow());
  }

  timeline(): Timeline {
    return this.#sampling.timeline(this.#counted.atMs, this.#counters.roster.ids());
  }

  #countedNow() {
    return {
      ...this.#counted,
      counters: this.#counters,
      supplyTime: this.#supplyTime,
      alarms: this.#alarms.periods(),
    };
  }

  #passTo(atMs: number): void {
    this.#sampling.reach(atMs);
    this.#supplyTime = this.#supplyTimeAt(atMs);
    this.#counted.atMs = atMs;
  }

  #supplyTimeAt(atMs: number): number {
    return this.#supplyTime + this.#counters.balances.supply * (atMs - this.#counted.atMs);
  }
}

export const newMeter = (
  journal: JournalReader,
  base: CountedFrom = countedFrom(journal),
): RunMeter => new RunMeter(base, stateCountedFrom(journal, base));

/** Measures a run up to event `upTo`. By default measures all events. Reads the journal once. */
export const measureRun = (journal: JournalReader, upTo?: number): RunMeter => {
  const meter = newMeter(journal);
  readLog(journal, [meter], { withoutBodies: UNCOUNTED, upTo });
  return meter;
};

/** Computes the figures of a run since `base`, which may be any event. Reads the journal once. */
export const runFigures = (
  journal: JournalReader,
  base: CountedFrom = countedFrom(journal),
): RunFigures => {
  const meter = newMeter(journal, base);
  readLog(journal, [meter], { withoutBodies: UNCOUNTED, after: base.seq });
  const figures = meter.figures();
  // Reads the alarms of the whole journal: an alarm that is on at `base` was raised earlier.
  return { ...figures, alarms: alarmLines(journal, { fromMs: base.at_ms, toMs: figures.atMs }) };
};
