import { Dice } from "../../../src/kernel/core/dice.ts";
import { type AgentSet, drawAgents } from "./agents.ts";
import type { Crash } from "./fault-injector.ts";
import type { ModelBehavior } from "./models.ts";
import { drawSettings, reviewSettings } from "./settings.ts";

/** Everything about one world that its seed decides. */
export type WorldPlan = {
  readonly seed: number;
  /** Whether the world depends on its seed only, even if it is interrupted. */
  readonly repeatable: boolean;
  readonly settings: readonly string[];
  readonly agents: AgentSet;
  readonly models: ModelBehavior;
  readonly interruptions: readonly Interruption[];
  /** How often the world is resumed from a random event and compared. */
  readonly resumeChecks: number;
  /** Number of transactions between two audits. */
  readonly auditedEvery: number;
};

/** How a session ends, and how the next one starts. */
export type Interruption = {
  /** The position of the interruption, as a share of the events of the uninterrupted run. */
  readonly part: number;
  readonly write: Crash["write"];
  /** Whether the run is interrupted at an append between two steps, regardless of `write`. */
  readonly betweenSteps: boolean;
  readonly done: boolean;
  /** Whether the end of the write-ahead log is damaged. */
  readonly logDamaged: boolean;
  /** Whether the memory index is missing or damaged. */
  readonly indexDamaged: boolean;
  /** Free bytes until the disk is full; null if the process crashes instead. */
  readonly freeBytes: number | null;
  /** Resume in the same folder, or fork from a checkpoint file or from an event of the journal. */
  readonly next: "resume" | "checkpoint" | "event";
};

export const planOf = (seed: number): WorldPlan => {
  const dice = Dice.of(seed, "whole world");
  const repeatable = dice.chance(0.7);
  const reviews = reviewSettings(Dice.of(seed, "reviewer"));
  const settings = [...drawSettings(dice, repeatable), ...reviews];
  const models = {
    seed,
    faultShare: dice.choose([0, 0.1, 0.3]) ?? 0,
    unusableShare: dice.choose([0.05, 0.2, 0.4]) ?? 0,
    timingDependent: !repeatable,
    attemptsMax: attemptsIn(settings),
  };
  const count = 1 + dice.pick(3);
  const interruptions = Array.from({ length: count }, () => interruption(dice, repeatable));
  return {
    seed,
    repeatable,
    settings,
    agents: drawAgents(dice),
    models,
    interruptions: interruptions.sort((a, b) => a.part - b.part),
    resumeChecks: repeatable ? RESUME_CHECKS : 0,
    auditedEvery: 1 + dice.pick(8),
  };
};

const RESUME_CHECKS = 2;

const interruption = (dice: Dice, repeatable: boolean): Interruption => ({
  part: dice.next() * 0.95,
  write: dice.choose(["append", "append", "model_call", "snapshot"]) ?? "append",
  betweenSteps: dice.chance(0.6),
  done: dice.chance(0.5),
  logDamaged: dice.chance(0.25),
  indexDamaged: !repeatable && dice.chance(0.3),
  freeBytes: dice.chance(0.15) ? 4_096 * (1 + dice.pick(60)) : null,
  next: dice.choose(["resume", "resume", "checkpoint", "event", "event"]) ?? "resume",
});

const ATTEMPTS = "llm.failover.attempts_max=";

const attemptsIn = (settings: readonly string[]): number =>
  Number(settings.find((set) => set.startsWith(ATTEMPTS))?.slice(ATTEMPTS.length) ?? 1);
