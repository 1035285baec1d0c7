import type { Event, State } from "../../kernel/index.ts";
import { isRunEvent, type JournalRow } from "../../world/index.ts";
import { countedEvent, usageOfThought } from "./activity.ts";
import { AlarmCounter } from "./alarms.ts";
import { type EventCounters, newCounters } from "./event-counters.ts";
import { JumpCounter } from "./money/jumps.ts";
import type { PriceChange, ProgramSales } from "./money/price-index.ts";
import {
  type CountedFrom,
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
export const UNCOUNTED: ReadonlySet<string> = new Set<Event["kind"]>([
  "artifact_state_changed",
  "memory_recorded",
]);

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
 * Computes all figures of a run from its events. `count` must get every journal row after the base,
 * in order. The figures can be read at any time. Memory use is O(world size), not O(events).
 */
export class RunMeter {
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

  /**
   * Counts one row. A note about the run changes only the number of events and the alarms. `event`
   * is the decoded row, if the caller has it.
   */
  count(row: JournalRow, event: Event | null = null): void {
    if (row.atMs > this.#counted.atMs) this.#passTo(row.atMs);
    this.#counted.events += 1;
    this.#counted.lastSeq = row.seq;
    if (isRunEvent(row.kind)) this.#alarms.count(row);
    else if (row.kind === "thought_completed") {
      this.#counters.activity.countThought(row.principal, usageOfThought(row));
    } else if (!UNCOUNTED.has(row.kind)) {
      const decoded = event ?? countedEvent(row);
      this.#countEvent(decoded, row.seq);
    }
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
    const { activity, incomes, balances, graph, proceeds, compute, roster } = this.#counters;
    const { base, atMs } = this.#counted;
    const inPrograms = scripInPrograms(this.#counters);
    return {
      ...this.#counted,
      activity: activity.total(),
      supply: balances.supply,
      statuses: roster.statuses(),
      proceeds: proceeds.proceeds(),
      compute: compute.compute(),
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
