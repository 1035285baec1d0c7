import { z } from "zod";
import type { View } from "../../kernel/index.ts";
import { fnv1a } from "../fnv1a.ts";
import { recall } from "../memory-codec.ts";
import { FREE, type Mind, type Thought } from "../mind.ts";
import { compileScript, type Entry, type Instruction } from "./script.ts";

/**
 * Where a script stands: the next instruction, and how often each open `repeat` still turns. `of`
 * tells which script: a place in another one means nothing.
 */
type Place = {
  readonly at: number;
  readonly left: { readonly [start: string]: number };
  readonly of: number;
};

const placeSchema: z.ZodType<Place> = z.object({
  at: z.int().min(0),
  left: z.record(z.string(), z.number()),
  of: z.number(),
});

/** One thought may pass over this many instructions that are not actions. */
const STEPS_MAX = 10_000;

export type ScriptSettings = {
  readonly entries: readonly Entry[];
  readonly loop: boolean;
  readonly thinkMs: number;
};

/**
 * A confederate: it does what its script says, one action an iteration, whatever comes of it. It
 * keeps its place in the agent's memory, pays nothing for thinking and stops at the end.
 */
export const scriptMind = (settings: ScriptSettings): Mind => {
  const program = compileScript(settings.entries);
  const script = { program, loop: settings.loop, mark: markOf(program) };
  return {
    price: { micros: 0, calls: 0, tokens: 0 },
    thinkMs: [settings.thinkMs, settings.thinkMs],
    backsOff: false,
    recollect: null,
    decide: (view) => step(script, view),
  };
};

type Script = {
  readonly program: readonly Instruction[];
  readonly loop: boolean;
  readonly mark: number;
};

/** A number that is another one for another script. */
const markOf = (program: readonly Instruction[]): number => fnv1a(JSON.stringify(program));

const step = ({ program, loop, mark }: Script, view: View): Thought => {
  const start: Place = { at: 0, left: {}, of: mark };
  const kept = recall(view.agent.mind, start, placeSchema);
  let { at, left } = kept.of === mark ? kept : start;
  let waitMs = 0;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const instruction = program[at];
    if (instruction === undefined) {
      if (!loop || program.length === 0) return { kind: "finished", reason: "script_finished" };
      if (waitMs > 0) return decided(NOOP, { ...start, waitMs });
      [at, left] = [0, {}];
      continue;
    }
    switch (instruction.op) {
      case "act":
        return decided(instruction, { at: at + 1, left, of: mark, waitMs });
      case "wait":
        waitMs += instruction.ms;
        at += 1;
        break;
      case "repeat": {
        const turns = left[at] ?? instruction.times;
        const { [at]: _open, ...closed } = left;
        left = turns > 0 ? { ...left, [at]: turns - 1 } : closed;
        at = turns > 0 ? at + 1 : instruction.end;
        break;
      }
      case "again":
        at = instruction.start;
        break;
      case "unless_last":
        at = lastWas(view, instruction.condition) ? at + 1 : instruction.to;
        break;
    }
  }
  const message = `the script ran through ${STEPS_MAX} steps without an action`;
  return { kind: "failed", reason: "intent_rejected", message, memory: null, usage: FREE };
};

const lastWas = (view: View, condition: string): boolean => {
  const { last } = view.agent;
  if (last === null) return false;
  if (condition === "failed") return !last.ok;
  return condition === "succeeded" ? last.ok : last.code === condition;
};

type Act = Extract<Instruction, { readonly op: "act" }>;
const NOOP: Act = { op: "act", action: { noop: {} }, sleep: null };

const decided = (
  { action, sleep }: Act,
  { waitMs, ...place }: Place & { readonly waitMs: number },
): Thought => ({
  kind: "decided",
  action,
  reasoning: "the script says so",
  memory: place,
  usage: FREE,
  waitMs,
  sleep,
});
