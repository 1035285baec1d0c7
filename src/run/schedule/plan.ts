import {
  canonical,
  invariant,
  type JsonObject,
  type Physics,
  type Result,
  type Schedule,
  type ScheduledEntry,
  type State,
  scheduledText,
  worldRow,
} from "../../kernel/index.ts";
import { listed } from "../../text/index.ts";
import { decodeJson, type World } from "../../world/index.ts";
import { type Config, physicsFor, withSettings } from "../config/index.ts";
import type { Mechanism } from "../mechanisms/read-mechanisms.ts";
import type { Persona } from "../persona/persona.ts";
import type { Mention } from "./mentions.ts";

/** What a user plans for a world, with its files. The entries are sorted by time. */
export type ScheduleRequest = {
  /** The new schedule instead of the one that the world has, or null to keep it. */
  readonly replacement: readonly ScheduledEntry[] | null;
  readonly added: readonly ScheduledEntry[];
  /** The settings that the user gives for this run. They replace those of executed entries. */
  readonly overridden: ReadonlySet<string>;
  /** The personas of the agents that the entries add. */
  readonly personas: readonly Persona[];
  /** The ids that the entries of `replacement` name. */
  readonly mentions: readonly Mention[];
  /** The mechanisms that a new world starts with. */
  readonly mechanisms: readonly Mechanism[];
};

/** Keeps the schedule that the world has. */
export const NO_CHANGES: ScheduleRequest = {
  replacement: null,
  added: [],
  overridden: new Set(),
  personas: [],
  mentions: [],
  mechanisms: [],
};

type Planning = { readonly schedule: ScheduleRequest; readonly note?: (text: string) => void };

const scheduleIn = (state: State): Schedule =>
  state.world.get("world")?.schedule ?? { entries: [], settings: {} };

/** Returns why entries cannot be added to a run that continues at this time, or null. */
export const lateEntry = ({ schedule }: Planning, atMs: number): string | null => {
  const past = schedule.added.find(({ at_ms }) => at_ms <= atMs);
  if (past === undefined) return null;
  const time = `--at ${past.at_ms / 1_000}s`;
  return `${time}: the run is already at ${atMs / 1_000} s; choose a later time`;
};

/** The schedule of a world that starts or continues at `atMs`. Notes the entries that it skips. */
export const scheduleOf = (
  { schedule: { replacement, added, overridden }, note }: Planning,
  state: State,
  atMs: number,
): Schedule => {
  const { entries, settings } = scheduleIn(state);
  const isNew = !state.world.has("world");
  const open = new Set(entries.map(textOf));
  const isAhead = (entry: ScheduledEntry): boolean =>
    isNew || entry.at_ms > atMs || open.has(textOf(entry));
  const kept = replacement?.filter(isAhead) ?? entries;
  const skipped = replacement?.filter((entry) => !isAhead(entry)) ?? [];
  if (skipped.length > 0) {
    note?.(`the run continues at ${atMs / 1_000} s, so it skips ${entriesText(skipped)}`);
  }
  const rest = Object.entries(settings).filter(([key]) => !overridden.has(key));
  const all = [...kept, ...added].sort((a, b) => a.at_ms - b.at_ms);
  return { entries: all, settings: Object.fromEntries(rest) };
};

/** JSON text that is equal for equal values. Fields without a value do not count. */
const textOf = (value: ScheduledEntry | Schedule): string =>
  canonical(decodeJson(JSON.stringify(value)));

/** Records the schedule in the world, unless the world already has it. */
export const planSchedule = (world: World, schedule: Schedule, at_ms: number): void => {
  if (textOf(schedule) === textOf(worldRow(world.state).schedule)) return;
  const { success } = world.submit({ kind: "plan_schedule", at_ms, ...schedule });
  invariant(success, "the schedule of a run must be sorted");
};

/** The physics of a configuration whose settings a schedule has changed. */
export const physicsWith = (
  config: Config,
  settings: JsonObject,
): Result<{ readonly physics: Physics }> => {
  const changed = withSettings(config, settings);
  return changed.ok ? { ok: true, physics: physicsFor(changed.config) } : changed;
};

/** Names the entries that a run does not reach, in one line. Null if it reaches all. */
export const unreached = (
  { entries }: Schedule,
  { stopAtMs }: { readonly stopAtMs: number },
): string | null => {
  const late = entries.filter(({ at_ms }) => at_ms >= stopAtMs);
  if (late.length === 0) return null;
  return `the run stops at ${stopAtMs / 1_000} s, before ${entriesText(late)}`;
};

const SHOWN = 3;

const entriesText = (entries: readonly ScheduledEntry[]): string => {
  const said = entries.map(({ at_ms, change }) => `${scheduledText(change)} at ${at_ms / 1_000} s`);
  return listed(said, SHOWN);
};
