import { decodeEvent, type Event, wholeOf } from "../../kernel/index.ts";
import { type Clock, isBookkeeping, type Journal, type World } from "../../world/index.ts";
import { nextMultiple } from "../next-multiple.ts";
import type { HealthBounds } from "./alarm.ts";
import { AlarmBell } from "./alarm-bell.ts";
import { HealthMonitor } from "./health-monitor.ts";

export type HealthWatchParts = {
  readonly bounds: HealthBounds;
  readonly journal: Journal;
  readonly world: World;
  readonly clock: Clock;
  /** After all agents: a look at the economy comes after what happens in that moment. */
  readonly order: number;
  readonly signal: AbortSignal;
};

/** Looks at the economy as a whole every so often, and notes what is wrong with it. */
export class HealthWatch {
  readonly #parts: HealthWatchParts;
  readonly #monitor: HealthMonitor;

  constructor(parts: HealthWatchParts) {
    this.#parts = parts;
    this.#monitor = new HealthMonitor(parts.bounds, parts.journal.baseMark()?.atMs ?? 0);
  }

  begin(): void {
    const { clock, order } = this.#parts;
    clock.spawn(() => this.#watch(), order);
  }

  note(event: Event): void {
    this.#monitor.note(event);
  }

  /** Brings it, in a run that goes on, to what it would know had the run never been left. */
  recall(): void {
    const { journal, clock, bounds } = this.#parts;
    for (const row of journal.events({ sinceMs: clock.now() - bounds.window_ms })) {
      if (!isBookkeeping(row.kind)) this.#monitor.note(decodeEvent(row));
    }
  }

  async #watch(): Promise<void> {
    const { journal, world, clock, order, signal, bounds } = this.#parts;
    const bell = new AlarmBell(journal);
    const { every_ms } = bounds;
    for (let atMs = nextMultiple(clock.now(), every_ms); ; atMs += every_ms) {
      if ((await clock.until(atMs, order, signal)) === "cancelled") return;
      const { endowed, minted, burned } = wholeOf(world.state).supply;
      bell.ring(this.#monitor.judge(atMs, endowed + minted - burned), clock.now());
    }
  }
}
