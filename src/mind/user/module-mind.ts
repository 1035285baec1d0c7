import { z } from "zod";
import { cutText, Dice, diceState, type Json, type View } from "../../kernel/index.ts";
import { FREE, type Mind, type Thought, type ThoughtPrice } from "../mind.ts";
import { readMemory } from "../mind-memory-codec.ts";

import { sleepOf } from "../script/sleep-schema.ts";
import type { ModuleFault, ModuleInput } from "./messages.ts";
import { calledWith } from "./module-call.ts";
import type { UserModule } from "./module-thread.ts";
import { type PlainDecision, readDecision } from "./read-decision.ts";

const REASONING_CHARS_MAX = 4_000;

/** The state of the random numbers, and the memory that the module `of` returned. */
const keptSchema = z.object({ dice: z.custom<Json>(), own: z.custom<Json>(), of: z.string() });

type ModuleAgent = {
  readonly id: string;
  readonly module: UserModule;
  readonly settings: ModuleInput["settings"];
};

/** What a module answered: its decision or its fault, and the memory to keep. */
export type ModuleAnswer = {
  readonly read:
    | { readonly ok: true; readonly decision: PlainDecision }
    | { readonly ok: false; readonly fault: ModuleFault };
  readonly memory: Json;
  /** What prevents a run from repeating. A module reports each only once. */
  readonly notes: readonly ModuleFault[];
};

/** Asks a module for the decision of an agent. `seed` is that of the run. */
export const askModule = (
  { id, module, settings }: ModuleAgent,
  { view, seed }: { readonly view: View; readonly seed: number },
): ModuleAnswer => {
  const { name: of, at } = module;
  const fresh = { dice: null, own: null, of };
  const stored = readMemory(view.agent.mind, fresh, keptSchema);
  const kept = stored.of === of ? stored : fresh;
  const rolled = diceState(kept.dice);
  const state = rolled ?? Dice.of(seed, `${id}/mind`).state;
  const call = { function: "decide", input: { view, memory: kept.own, settings } } as const;
  const { answer, dice, notes } = calledWith(module, call, state);
  const read = answer.ok ? readDecision(answer.returned) : answer;
  const own = read.ok ? (read.decision.memory ?? kept.own) : kept.own;
  const memory = { dice: [...dice], own, of };
  if (read.ok) return { read, memory, notes };
  const fault = "fault" in read ? read.fault : { ...at, message: read.problem };
  return { read: { ok: false, fault }, memory, notes };
};

type ModuleParts = {
  readonly seed: number;
  readonly policyPrice: ThoughtPrice;
  readonly policyThinkMs: readonly [number, number];
};

/** The faults of each module that were reported. */
const reported = new WeakMap<UserModule, Set<string>>();

/** Whether no agent of a module has reported this fault: a population has one mistake once. */
const isNew = (module: UserModule, message: string): boolean => {
  const known = reported.get(module) ?? new Set();
  reported.set(module, known);
  const sizeBefore = known.size;
  return known.add(message).size > sizeBefore;
};

/** Makes a mind of a module of the user. Its thoughts cost as much as those of policies. */
export const moduleMind = (
  agent: ModuleAgent,
  { seed, policyPrice: price, policyThinkMs: thinkMs }: ModuleParts,
): Mind => {
  const { micros: cost_micros, calls, tokens: input_tokens } = price;
  const usage = { ...FREE, calls, input_tokens, cost_micros };
  const decide = (view: View): Thought => {
    const { read, memory, notes } = askModule(agent, { view, seed });
    const warnings = notes.map((note) => `the mind of ${agent.id}: ${showFault(note)}`);
    if (!read.ok) {
      const message = showFault(read.fault);
      const failed = { kind: "failed", reason: "intent_rejected", message } as const;
      if (isNew(agent.module, message)) warnings.push(`the mind of ${agent.id} failed: ${message}`);
      return { ...failed, memory, usage, warnings };
    }
    const { action, reasoning, waitMs, sleep } = read.decision;
    return {
      kind: "decided",
      action,
      reasoning: cutText(reasoning, REASONING_CHARS_MAX),
      memory,
      usage,
      waitMs,
      sleep: sleep === null ? null : sleepOf(sleep),
      warnings,
    };
  };
  // The module runs in another thread, which gets a copy of the whole view.
  const hasLazyView = false;
  return { price, exactPrice: null, thinkMs, parallel: null, recollect: null, hasLazyView, decide };
};

/** Formats a fault as text, such as `mind.ts:5:11: Error: no idea`. */
export const showFault = ({ file, line, column, message }: ModuleFault): string =>
  `${file}${line === null ? "" : `:${line}:${column ?? 1}`}: ${message}`;
