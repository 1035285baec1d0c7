import type { Event } from "../../kernel/index.ts";

/** An executed entry of the schedule. `problem` says why it could not be made, or is null. */
type ExecutedEntry = {
  readonly at_ms: number;
  readonly change: string;
  readonly problem: string | null;
};

/** Lists the entries of the run's schedule that were executed. */
export class ScheduleCounter {
  readonly #entries: ExecutedEntry[] = [];

  count(event: Event): void {
    if (event.kind !== "schedule_executed") return;
    const { at_ms, change, problem } = event;
    this.#entries.push({ at_ms, change, problem });
  }

  entries(): readonly ExecutedEntry[] {
    return [...this.#entries];
  }
}
