import { serve } from "../../channel/index.ts";
import { Dice } from "../../kernel/index.ts";
import type { Ended, Script } from "./interpreter.ts";

/** The parts of a date. Each has a getter for local time and one for UTC. */
const PARTS = [
  "FullYear",
  "Month",
  "Date",
  "Day",
  "Hours",
  "Minutes",
  "Seconds",
  "Milliseconds",
] as const;

/**
 * Replaces what differs between hosts, moments and runs in this thread: the clock stands still at
 * the time that `startAt` sets, the time zone is UTC, chance is a fixed sequence, and texts are
 * ordered by their code units. Call it before the code that must see the replacements is loaded.
 */
const pinGlobals = (): { readonly startAt: (nowMs: number) => void } => {
  let nowMs = 0;
  let dice = sameDice();
  Math.random = () => dice.next();
  performance.now = () => 0;
  globalThis.Date = pinnedDate(() => nowMs);
  Object.assign(String.prototype, { localeCompare: compareCodeUnits });
  // No command can add properties that later commands would inherit.
  for (const shared of [Object.prototype, Array.prototype, Function.prototype]) {
    Object.preventExtensions(shared);
  }
  const startAt = (startMs: number): void => {
    nowMs = startMs;
    dice = sameDice();
  };
  return { startAt };
};

const sameDice = (): Dice => Dice.of(0, "shell");

const pinnedDate = (now: () => number): DateConstructor => {
  const real = Date;
  for (const part of PARTS) {
    real.prototype[`get${part}`] = real.prototype[`getUTC${part}`];
    if (part !== "Day") real.prototype[`set${part}`] = real.prototype[`setUTC${part}`];
  }
  real.prototype.getTimezoneOffset = () => 0;
  return new Proxy(real, {
    construct: (_, given: readonly unknown[]) => {
      const [first = now(), ...others] = given.map(Number);
      if (given.length === 1 && typeof given[0] === "string") return new real(utcIn(given[0]));
      return new real(others.length === 0 ? first : real.UTC(first, ...others));
    },
    apply: () => new real(now()).toISOString(),
    get: (target, key, receiver) => {
      if (key === "now") return now;
      return key === "parse" ? utcIn : Reflect.get(target, key, receiver);
    },
  });
};

const ZONE = /(?:z|utc|gmt|[+-]\d\d:?\d\d|[ecmp][sd]t)\s*$/i;
const ISO_TIME = /^\d{4}-\d\d-\d\dt/i;

/** The time that a text means, in ms since 1970. A text without a time zone means UTC. */
const utcIn = (text: string): number => {
  if (ZONE.test(text)) return parseReal(text);
  const inUtc = parseReal(`${text}${ISO_TIME.test(text) ? "Z" : " UTC"}`);
  return Number.isNaN(inUtc) ? parseReal(text) : inUtc;
};

const parseReal = Date.parse.bind(Date);

function compareCodeUnits(this: string, other: string): number {
  const own = String(this);
  return own < other ? -1 : own > other ? 1 : 0;
}

const { startAt } = pinGlobals();
const { runScript } = await import("./interpreter.ts");

const answers = {
  /** Answers when the interpreter is loaded. */
  load: (): void => {},
  run: (script: Script): Promise<Ended> => {
    startAt(script.nowMs);
    return runScript(script);
  },
};
export type ShellCalls = typeof answers;

serve("in order", answers);
