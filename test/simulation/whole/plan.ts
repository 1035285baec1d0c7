import { Dice } from "../../../src/mind/policy/dice.ts";
import { drawPeople, type People } from "./people.ts";
import { drawSettings } from "./settings.ts";
import type { Mood } from "./speech.ts";
import type { Death } from "./watch.ts";

/** Everything about one world that its seed decides. */
export type WorldPlan = {
  readonly seed: number;
  /** Whether the world is a function of its seed alone, wherever it is stopped on its way. */
  readonly repeatable: boolean;
  readonly settings: readonly string[];
  readonly people: People;
  readonly mood: Mood;
  readonly mishaps: readonly Mishap[];
  /** How often the world is cut at one of its turns only to see how it continues from there. */
  readonly glances: number;
  /** How many transactions pass between two looks of the auditor. */
  readonly auditedEvery: number;
};

/** How a life comes to its end, and how the next one begins. */
export type Mishap = {
  /** Where in the run, as a share of the events of an undisturbed run. */
  readonly part: number;
  readonly write: Death["write"];
  /** At one of the world's turns, whatever `write` says. */
  readonly atTurn: boolean;
  readonly done: boolean;
  /** The next one finds the end of the log torn off. */
  readonly torn: boolean;
  /** The next one finds no index of memories that can be used. */
  readonly spoilt: boolean;
  /** The life does not end by itself: so many more bytes fit on the disk. */
  readonly freeBytes: number | null;
  /** In its own folder; or elsewhere, from a file or from some event of the journal. */
  readonly next: "resume" | "checkpoint" | "cut";
};

export const planOf = (seed: number): WorldPlan => {
  const dice = Dice.of(seed, "whole world");
  const repeatable = dice.chance(0.7);
  const settings = drawSettings(dice, repeatable);
  const mood = {
    seed,
    faultShare: dice.choose([0, 0.1, 0.3]) ?? 0,
    nonsense: dice.choose([0.05, 0.2, 0.4]) ?? 0,
    chancy: !repeatable,
    attemptsMax: attemptsIn(settings),
  };
  const count = 1 + dice.pick(3);
  const mishaps = Array.from({ length: count }, () => mishap(dice, repeatable));
  return {
    seed,
    repeatable,
    settings,
    people: drawPeople(dice),
    mood,
    mishaps: mishaps.sort((a, b) => a.part - b.part),
    glances: repeatable ? GLANCES : 0,
    auditedEvery: 1 + dice.pick(8),
  };
};

const GLANCES = 2;

const mishap = (dice: Dice, repeatable: boolean): Mishap => ({
  part: dice.next() * 0.95,
  write: dice.choose(["append", "append", "model_call", "snapshot"]) ?? "append",
  atTurn: dice.chance(0.6),
  done: dice.chance(0.5),
  torn: dice.chance(0.25),
  spoilt: !repeatable && dice.chance(0.3),
  freeBytes: dice.chance(0.15) ? 4_096 * (1 + dice.pick(60)) : null,
  next: dice.choose(["resume", "resume", "checkpoint", "cut", "cut"]) ?? "resume",
});

const ATTEMPTS = "llm.failover.attempts_max=";

const attemptsIn = (settings: readonly string[]): number =>
  Number(settings.find((set) => set.startsWith(ATTEMPTS))?.slice(ATTEMPTS.length) ?? 1);
