import { type Event, worldRow } from "../../kernel/index.ts";
import {
  appendRunEvent,
  type Clock,
  decodeEvent,
  isRunEvent,
  type Journal,
  runEventBody,
  type World,
} from "../../world/index.ts";
import { type Config, msOf } from "../config/index.ts";
import { runEvery } from "../core/interval.ts";
import {
  ALARMS,
  type Alarm,
  type AlarmName,
  type HealthBounds,
  HealthMonitor,
} from "./health-monitor.ts";

type HealthWatchParts = {
  readonly settings: Config["health"];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly journal: Journal;
  readonly world: World;
};

export class HealthWatch {
  readonly #parts: HealthWatchParts;
  readonly #bounds: HealthBounds;
  readonly #monitor: HealthMonitor;

  constructor(parts: HealthWatchParts) {
    const { every_s, window_s, ...shares } = parts.settings;
    this.#parts = parts;
    this.#bounds = { every_ms: msOf(every_s), window_ms: msOf(window_s), ...shares };
    this.#monitor = new HealthMonitor(this.#bounds, parts.journal.baseMark()?.atMs ?? 0);
  }

  start(): void {
    const { journal, world, clock, signal } = this.#parts;
    const log = new AlarmLog(journal);
    runEvery(this.#bounds.every_ms, clock, signal, (atMs) => {
      const { endowed, minted, burned } = worldRow(world.state).supply;
      log.update(this.#monitor.judge(atMs, endowed + minted - burned), clock.now());
    });
  }

  onEvents(events: readonly Event[]): void {
    for (const event of events) this.#monitor.note(event);
  }

  /** After a resume, reads the events of the last window. The alarms depend on these events. */
  restore(): void {
    const { journal, clock } = this.#parts;
    for (const row of journal.events({ sinceMs: clock.now() - this.#bounds.window_ms })) {
      if (!isRunEvent(row.kind)) this.#monitor.note(decodeEvent(row));
    }
  }
}

const ALARM_KINDS = ["alarm_raised", "alarm_cleared"] as const;

class AlarmLog {
  readonly #journal: Journal;
  readonly #active = new Map<AlarmName, number>();

  /** Reads the active alarms from the journal, so that a resumed run does not raise them again. */
  constructor(journal: Journal) {
    this.#journal = journal;
    const rows = ALARM_KINDS.flatMap((kind) => [...journal.events({ kind })]);
    for (const { kind, body, atMs } of rows.toSorted((a, b) => a.seq - b.seq)) {
      const alarm = ALARMS.find((name) => name === runEventBody(body).alarm);
      if (alarm === undefined) continue;
      if (kind === "alarm_raised") this.#active.set(alarm, atMs);
      else this.#active.delete(alarm);
    }
  }

  update(alarms: readonly Alarm[], atMs: number): void {
    const names = new Set(alarms.map(({ name }) => name));
    for (const [alarm, since] of this.#active) {
      if (names.has(alarm)) continue;
      this.#active.delete(alarm);
      const body = { alarm, on_ms: atMs - since };
      appendRunEvent(this.#journal, { atMs, kind: "alarm_cleared", body });
    }
    for (const { name: alarm, cause } of alarms) {
      if (this.#active.has(alarm)) continue;
      this.#active.set(alarm, atMs);
      appendRunEvent(this.#journal, { atMs, kind: "alarm_raised", body: { alarm, cause } });
    }
  }
}
