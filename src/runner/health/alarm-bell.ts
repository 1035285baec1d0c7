import { type Journal, noteOf, noteRun } from "../../world/index.ts";
import { ALARMS, type Alarm, type AlarmName } from "./alarm.ts";

const BELL_KINDS = ["alarm_raised", "alarm_cleared"] as const;

/** Writes into the journal when an alarm begins to ring and when it ends, and nothing between. */
export class AlarmBell {
  readonly #journal: Journal;
  readonly #ringing = new Map<AlarmName, number>();

  /** In a run that goes on, alarms ring as they did when it was left. */
  constructor(journal: Journal) {
    this.#journal = journal;
    const rows = BELL_KINDS.flatMap((kind) => [...journal.events({ kind })]);
    for (const { kind, body, atMs } of rows.toSorted((a, b) => a.seq - b.seq)) {
      const alarm = ALARMS.find((name) => name === noteOf(body).alarm);
      if (alarm === undefined) continue;
      if (kind === "alarm_raised") this.#ringing.set(alarm, atMs);
      else this.#ringing.delete(alarm);
    }
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
