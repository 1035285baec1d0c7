import { type Journal, noteRun } from "../../world/index.ts";
import type { Alarm, AlarmName } from "./alarm.ts";

/** Writes into the journal when an alarm begins to ring and when it ends, and nothing between. */
export class AlarmBell {
  readonly #journal: Journal;
  readonly #ringing = new Map<AlarmName, number>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  ring(alarms: readonly Alarm[], atMs: number): void {
    const names = new Set(alarms.map(({ name }) => name));
    for (const [alarm, since] of this.#ringing) {
      if (names.has(alarm)) continue;
      this.#ringing.delete(alarm);
      const body = { alarm, on_ms: atMs - since };
      noteRun(this.#journal, { atMs, kind: "alarm_cleared", body });
    }
    for (const { name: alarm, cause } of alarms) {
      if (this.#ringing.has(alarm)) continue;
      this.#ringing.set(alarm, atMs);
      noteRun(this.#journal, { atMs, kind: "alarm_raised", body: { alarm, cause } });
    }
  }
}
