import { z } from "zod";
import {
  cutText,
  Dice,
  diceState,
  isObject,
  type Json,
  jsonProblem,
  type View,
} from "../../kernel/index.ts";
import { type Finding, findingsOf } from "../core/findings.ts";
import { FREE, type Mind, type Thought, type ThoughtPrice } from "../core/mind.ts";
import { type SleepEntry, sleepOf, sleepSchema } from "../core/sleep.ts";
import { readMemory } from "../core/stored-memory.ts";
import { withKnownFields } from "../reply/known-fields.ts";
import type { ModuleFault, ModuleInput } from "./messages.ts";
import { calledWith, type UserModule } from "./module-thread.ts";

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

const DEPTH_MAX = 64;
const MEMORY_CHARS_MAX = 65_536;
const WAIT_MS_MAX = 1e12;

const json = z.custom<Json>().superRefine((given, context) => {
  const problem = jsonProblem(given, DEPTH_MAX);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

const decisionSchema = z.strictObject({
  action: z.record(z.string(), json),
  memory: json.optional(),
  reasoning: z.string().optional(),
  waitMs: z.int().min(0).max(WAIT_MS_MAX).optional(),
  sleep: sleepSchema.optional(),
});

type ReadDecision =
  | { readonly ok: true; readonly decision: PlainDecision }
  | { readonly ok: false; readonly problem: string };

type PlainDecision = {
  readonly action: Json;
  /** Undefined keeps the old memory. */
  readonly memory: Json | undefined;
  readonly reasoning: string;
  readonly waitMs: number;
  readonly sleep: SleepEntry | null;
};

/** Checks the plain data that `decide` returned. */
const readDecision = (given: unknown): ReadDecision => {
  if (!isObject(given)) {
    return wrong(`returned ${shown(given)}, but must return an object such as ${EXAMPLE}`);
  }
  const parsed = decisionSchema.safeParse(given);
  if (!parsed.success) {
    const found = findingsOf(parsed.error, { schema: decisionSchema, value: given });
    return wrong(`returned a wrong decision: ${found.slice(0, SHOWN_MAX).map(inWords).join("; ")}`);
  }
  const { memory, reasoning = "", waitMs = 0, sleep = null } = parsed.data;
  const known = withKnownFields(parsed.data.action);
  if (!known.ok) return wrong(`returned a wrong action: ${known.problem}`);
  const chars = memory === undefined ? 0 : JSON.stringify(memory).length;
  if (chars > MEMORY_CHARS_MAX) {
    const most = `the maximum is ${MEMORY_CHARS_MAX}`;
    return wrong(`returned a memory of ${chars} characters; ${most}`);
  }
  return { ok: true, decision: { action: known.value, memory, reasoning, waitMs, sleep } };
};

const SHOWN_MAX = 3;

/** Says in the words of JavaScript what is wrong, and what is right. */
const inWords = ({ path, message, hint }: Finding): string => {
  const example = path.length === 1 ? EXAMPLES.get(path[0] ?? "") : undefined;
  const cure = hint ?? (example === undefined ? null : `as in ${example}`);
  const said = message
    .replace("a map of keys and values", "an object")
    .replace(/a map$/, "an object");
  return cure === null ? said : `${said}; ${cure}`;
};

const EXAMPLES: ReadonlyMap<PropertyKey, string> = new Map([
  ["action", "`action: { noop: {} }`"],
  ["sleep", "`sleep: { for_s: 30 }`"],
]);

const EXAMPLE = "`{ action: { noop: {} } }`";

const wrong = (problem: string): ReadDecision => ({ ok: false, problem: `decide ${problem}` });

const shown = (given: unknown): string => {
  if (given === undefined) return "nothing";
  return Array.isArray(given) ? "a list" : JSON.stringify(given).slice(0, 40);
};
