import { type ActionEnd, type Event, endsAction, worldRow } from "../../kernel/index.ts";
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
import { tradeIn } from "../core/trade.ts";

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

type Moment = { readonly atMs: number };

/** The error codes of actions that were refused because something was scarce. */
const SHORTAGES: ReadonlySet<string> = new Set([
  "rate_limited",
  "insufficient_funds",
  "insufficient_disk",
  "quota_exceeded",
]);
const PASSIVE: ReadonlySet<string> = new Set(["noop", "read_artifact"]);

/** Returns the action, target and method as text. Equal actions have equal texts. */
const behaviourOf = ({ action, target, method }: ActionEnd): string =>
  [action, target, method].filter((part) => part !== null).join(" ");

const isShortage = (event: Event): boolean =>
  event.kind === "agent_rate_limited" ||
  event.kind === "agent_frozen" ||
  (event.kind === "action_refused" && SHORTAGES.has(event.code));

const actionIn = (event: ActionEnd) => ({
  atMs: event.at_ms,
  behaviour: behaviourOf(event),
  passive: PASSIVE.has(event.action),
});

type Streak = {
  readonly behaviour: string;
  readonly code: string;
  readonly message: string;
  readonly times: number;
  readonly atMs: number;
};

/** Judges the economy by the events of the last window. Raises no alarm before a full window. */
export class HealthMonitor {
  readonly #bounds: HealthBounds;
  readonly #sinceMs: number;
  readonly #streaks = new Map<string, Streak>();
  #trades: Moment[] = [];
  #shortages: Moment[] = [];
  #mints: (Moment & { readonly amount: number })[] = [];
  #actions: ReturnType<typeof actionIn>[] = [];

  /** @param sinceMs the run time in ms from which `note` receives every event. */
  constructor(bounds: HealthBounds, sinceMs: number) {
    this.#bounds = bounds;
    this.#sinceMs = sinceMs;
  }

  note(event: Event): void {
    const { at_ms: atMs } = event;
    if (tradeIn(event) !== null) this.#trades.push({ atMs });
    if (isShortage(event)) this.#shortages.push({ atMs });
    if (event.kind === "scrip_minted") this.#mints.push({ atMs, amount: event.amount });
    if (endsAction(event)) this.#actions.push(actionIn(event));
    if (event.principal === null) return;
    if (event.kind === "action_completed") this.#streaks.delete(event.principal);
    if (event.kind !== "action_refused") return;
    const { code, message } = event;
    const behaviour = behaviourOf(event);
    const before = this.#streaks.get(event.principal);
    const again = before?.behaviour === behaviour && before.code === code;
    const times = again ? before.times + 1 : 1;
    this.#streaks.set(event.principal, { behaviour, code, message, times, atMs });
  }

  /** Returns the active alarms at `nowMs` in the order of `ALARMS`. `supply` is the total scrip. */
  judge(nowMs: number, supply: number): readonly Alarm[] {
    const { window_ms } = this.#bounds;
    const since = nowMs - window_ms;
    const isRecent = ({ atMs }: Moment): boolean => atMs > since;
    this.#trades = this.#trades.filter(isRecent);
    this.#shortages = this.#shortages.filter(isRecent);
    this.#mints = this.#mints.filter(isRecent);
    this.#actions = this.#actions.filter(isRecent);
    if (since < this.#sinceMs) return [];
    const span = `in the last ${window_ms / 1_000} s`;
    return [
      this.#trade(span),
      this.#behaviour(span),
      this.#scarcity(span),
      this.#passivity(span),
      this.#failures(since),
      this.#inflation(supply, span),
    ].filter((alarm) => alarm !== null);
  }

  #trade(span: string): Alarm | null {
    if (this.#trades.length > 0) return null;
    const actions = this.#actions.length;
    const cause = `nothing was bought, sold, lent or rewarded ${span}, in ${actions} actions`;
    return { name: "no_trade", cause };
  }

  #behaviour(span: string): Alarm | null {
    const actions = this.#actions;
    const groups = Map.groupBy(actions, ({ behaviour }) => behaviour);
    const [commonest] = [...groups].sort(([, a], [, b]) => b.length - a.length);
    if (commonest === undefined || actions.length < this.#bounds.actions_min) return null;
    const [behaviour, { length: times }] = commonest;
    if (times < this.#bounds.identical_share * actions.length) return null;
    const cause = `${times} of ${actions.length} actions ${span} were "${behaviour}"`;
    return { name: "identical_behaviour", cause };
  }

  #scarcity(span: string): Alarm | null {
    if (this.#actions.length === 0 || this.#shortages.length > 0) return null;
    const cause = `no agent ran short of scrip, budget, disk or a window ${span}`;
    return { name: "no_scarcity", cause };
  }

  #passivity(span: string): Alarm | null {
    const actions = this.#actions;
    const passive = actions.filter((action) => action.passive).length;
    if (actions.length < this.#bounds.actions_min) return null;
    if (passive < this.#bounds.passive_share * actions.length) return null;
    const cause = `${passive} of ${actions.length} actions ${span} were reads and noops`;
    return { name: "read_only", cause };
  }

  #failures(sinceMs: number): Alarm | null {
    let worst: (Streak & { readonly agent: string }) | null = null;
    for (const [agent, streak] of this.#streaks) {
      if (streak.atMs <= sinceMs || streak.times < this.#bounds.repeats) continue;
      if (worst === null || streak.times > worst.times) worst = { ...streak, agent };
    }
    if (worst === null) return null;
    const { agent, behaviour, times, code, message } = worst;
    const cause = `${agent} failed ${times} times in a row at "${behaviour}": ${code}, ${message}`;
    return { name: "repeated_failure", cause };
  }

  #inflation(supply: number, span: string): Alarm | null {
    const minted = this.#mints.reduce((sum, { amount }) => sum + amount, 0);
    const before = supply - minted;
    if (minted <= this.#bounds.growth_share * before) return null;
    const cause = `${minted} scrip were minted ${span}, in addition to ${before}`;
    return { name: "inflation", cause };
  }
}

const ALARMS = [
  "no_trade",
  "identical_behaviour",
  "no_scarcity",
  "read_only",
  "repeated_failure",
  "inflation",
] as const;
type AlarmName = (typeof ALARMS)[number];

/** An active alarm. `cause` explains the alarm in one line with figures. */
type Alarm = { readonly name: AlarmName; readonly cause: string };

/** The thresholds of the alarms. `config.yaml` describes them. */
export type HealthBounds = Omit<Config["health"], "every_s" | "window_s"> & {
  readonly every_ms: number;
  readonly window_ms: number;
};
