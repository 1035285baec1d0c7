import { z } from "zod";
import {
  ACTION_KINDS,
  ACTIONS,
  type ActionKind,
  fieldsOf,
  fnv1a,
  interfaceProblem,
  isObject,
  type Json,
  type JsonObject,
  parseAction,
  REFUSAL_CODES,
  type Sleep,
  type View,
  wrongFieldOf,
} from "../kernel/index.ts";
import type { Frozen } from "../model/index.ts";
import { didYouMean } from "../text/index.ts";
import { addIssues, type KeyPath } from "./core/findings.ts";
import { FREE, type Mind, type Thought } from "./core/mind.ts";
import { type SleepEntry, sleepOf, sleepSchema } from "./core/sleep.ts";
import { asJson, readMemory } from "./core/stored-memory.ts";
import { mindKind, type Remark } from "./kind.ts";

/** Only the keys of an action are checked here; the world checks the values. */
const actionSchema = (kind: ActionKind) =>
  z.strictObject({
    [kind]: z.strictObject(
      Object.fromEntries(fieldsOf(kind).map(({ name }) => [name, z.json().optional()])),
    ),
  });

const condition = z.enum(["failed", "succeeded", ...REFUSAL_CODES]);

type ScriptEntry =
  | { readonly [K in ActionKind]?: JsonObject }
  | { readonly wait: number }
  | { readonly sleep: SleepEntry }
  | { readonly repeat: number; readonly do: readonly ScriptEntry[] }
  | { readonly if_last: z.infer<typeof condition>; readonly do: readonly ScriptEntry[] };

const aboutAction = (kind: ActionKind): string => {
  const fields = fieldsOf(kind).map(({ name }) =>
    name === "artifact_id" ? `\`${name}\`` : `\`${name}?\``,
  );
  const { about } = ACTIONS[kind];
  return fields.length === 0 ? about : `${about}. Fields: ${fields.join(", ")}`;
};

type Word = { readonly word: string; readonly about: string; readonly schema: z.ZodType };

const WORDS: readonly Word[] = [
  ...ACTION_KINDS.map((kind) => ({
    word: kind,
    about: aboutAction(kind),
    schema: actionSchema(kind),
  })),
  {
    word: "wait",
    about: "waits this many seconds before the next action",
    schema: z.strictObject({ wait: z.number().nonnegative().max(1e9) }),
  },
  {
    word: "sleep",
    about: "sleeps after the previous action. Fields: `for_s`, `until?` (a list of conditions)",
    schema: z.strictObject({ sleep: sleepSchema }),
  },
  {
    word: "repeat",
    about: "runs the entries in `do` this many times",
    schema: z.strictObject({
      repeat: z.int().positive().max(1_000_000),
      do: z.array(z.lazy(() => entrySchema)).min(1),
    }),
  },
  {
    word: "if_last",
    about:
      "runs the entries in `do` if the last action `failed`, `succeeded`, or got the refusal " +
      "code that the entry names",
    schema: z.strictObject({ if_last: condition, do: z.array(z.lazy(() => entrySchema)).min(1) }),
  },
];

export const SCRIPT_WORDS: { readonly [word: string]: string } = Object.fromEntries(
  WORDS.map(({ word, about }) => [word, about]),
);

/** One entry. Its word, such as `wait`, selects the schema, so errors are specific to the word. */
const entrySchema: z.ZodType<ScriptEntry> = z
  .custom<ScriptEntry>()
  .superRefine((given, context) => {
    const fields = typeof given === "object" && given !== null ? given : {};
    const known = WORDS.find(({ word }) => word in fields);
    if (known === undefined) {
      const shown = String(given === fields ? Object.keys(fields)[0] : given);
      const words = WORDS.map(({ word }) => word);
      const rule = `an entry is a map with one of ${words.join(", ")}, as in "noop: {}"`;
      const cure = given === fields ? (didYouMean(shown, words) ?? rule) : rule;
      context.addIssue({ code: "custom", message: `"${shown}" is not an action; ${cure}` });
      return;
    }
    const words = WORDS.filter(({ word }) => word in fields).map(({ word }) => word);
    if (words.length > 1) {
      const message = `has ${words.join(" and ")}; write an entry for each of them`;
      context.addIssue({ code: "custom", message });
      return;
    }
    addIssues(known.schema, given, { context });
  });

/** One instruction of a compiled script. Jumps use the index of an instruction. */
type Instruction =
  | { readonly op: "act"; readonly action: Json; readonly sleep: Sleep | null }
  | { readonly op: "wait"; readonly ms: number }
  | { readonly op: "repeat"; readonly times: number; readonly end: number }
  | { readonly op: "again"; readonly start: number }
  | { readonly op: "unless_last"; readonly condition: string; readonly to: number };

const compileScript = (entries: readonly ScriptEntry[]): readonly Instruction[] => {
  const program: Instruction[] = [];
  compileList(entries, program);
  return program;
};

/** Compiles entries. A sleep joins the action before it, or a noop if no action is before it. */
const compileList = (entries: readonly ScriptEntry[], program: Instruction[]): void => {
  let action: Json | undefined;
  for (const entry of entries) {
    if ("sleep" in entry) {
      const sleep = sleepOf(entry.sleep);
      if (action !== undefined) program.pop();
      program.push({ op: "act", action: action ?? { noop: {} }, sleep });
      action = undefined;
      continue;
    }
    compileEntry(entry, program);
    action = "do" in entry || "wait" in entry ? undefined : asJson(entry);
  }
};

type Plain = Exclude<ScriptEntry, { readonly sleep: unknown }>;

const compileEntry = (entry: Plain, program: Instruction[]): void => {
  if ("wait" in entry) {
    program.push({ op: "wait", ms: Math.round(entry.wait * 1000) });
    return;
  }
  if (!("do" in entry)) {
    program.push({ op: "act", action: asJson(entry), sleep: null });
    return;
  }
  const start = program.length;
  program.push({ op: "again", start });
  compileList(entry.do, program);
  if ("repeat" in entry) {
    program.push({ op: "again", start });
    program[start] = { op: "repeat", times: entry.repeat, end: program.length };
  } else {
    program[start] = { op: "unless_last", condition: entry.if_last, to: program.length };
  }
};

/** The next instruction, the turns left in each open `repeat`, and a hash of the script. */
const placeSchema = z.object({
  at: z.int().min(0),
  left: z.record(z.string(), z.number()),
  of: z.number(),
});
type Place = Frozen<z.infer<typeof placeSchema>>;

const STEPS_MAX = 10_000;

type ScriptSettings = {
  readonly entries: readonly ScriptEntry[];
  readonly loop: boolean;
  readonly thinkMs: number;
};

/** Creates a mind that runs a script, one action per iteration. Its thoughts are free. */
const scriptMind = (settings: ScriptSettings): Mind => {
  const program = compileScript(settings.entries);
  const script = { program, loop: settings.loop, mark: fnv1a(JSON.stringify(program)) };
  return {
    price: { micros: 0, calls: 0, tokens: 0 },
    exactPrice: null,
    thinkMs: [settings.thinkMs, settings.thinkMs],
    parallel: null,
    recollect: null,
    hasLazyView: true,
    backsOff: false,
    decide: (view) => step(script, view),
  };
};

type Script = {
  readonly program: readonly Instruction[];
  readonly loop: boolean;
  readonly mark: number;
};

const step = ({ program, loop, mark }: Script, view: View): Thought => {
  const start: Place = { at: 0, left: {}, of: mark };
  const kept = readMemory(view.agent.mind, start, placeSchema);
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

/** No world allows deeper JSON nesting. A world may have a lower `artifacts.json_depth_max`. */
const DEPTH_MAX = 200;

/** Warns of script actions that every world refuses. An experiment may need such actions. */
const refusedIn = (script: readonly ScriptEntry[], above: KeyPath): readonly Remark[] =>
  script.flatMap((entry, at) => {
    const path = [...above, at];
    if ("do" in entry) return refusedIn(entry.do, [...path, "do"]);
    if ("wait" in entry || "sleep" in entry) return [];
    const [kind = "", fields] = Object.entries(entry)[0] ?? [];
    const refused = refusalOf(entry, fields);
    if (refused === null) return [];
    const { field, why } = refused;
    const named = field !== null && isObject(fields) && field in fields ? [field] : [];
    const message = `the world will refuse this ${kind}: ${why}`;
    return [{ path: [...path, kind, ...named], message, hint: null }];
  });

type Wrong = { readonly field: string | null; readonly why: string };

const refusalOf = (entry: Plain, fields: unknown): Wrong | null => {
  const action = asJson(entry);
  const parsed = parseAction(action, DEPTH_MAX);
  if (parsed.kind === "refused")
    return { field: wrongFieldOf(action), why: parsed.refusal.message };
  if (!("write_artifact" in entry) || !isObject(fields) || fields.interface === undefined)
    return null;
  const problem = interfaceProblem(fields.interface);
  return problem === null ? null : { field: "interface", why: `interface: ${problem}` };
};

const keys = {
  script: z
    .array(entrySchema)
    .optional()
    .describe("the actions, in order; one per iteration (docs/agents.md)"),
  script_loop: z
    .boolean()
    .optional()
    .describe("whether the script starts again at its end; if not, the agent stops"),
};

const TEMPLATE = `script: # ${keys.script.description}
  - write_artifact:
      artifact_id: NAME_adder
      artifact_type: tool
      code: "function run(a, b) { return a + b }"
      price: 5
  - wait: 10 # simulated seconds
  - invoke_artifact: { artifact_id: NAME_adder, args: [2, 3] }
  - sleep: { for_s: 30, until: [{ event: artifact_invoked }, { scrip_at_least: 150 }] }
  - if_last: failed # or succeeded, or an error code
    do: [{ noop: {} }]
script_loop: false # ${keys.script_loop.description}
`;

/** `mind: script`: a list of actions. */
export const scriptKind = mindKind({
  names: ["script"],
  label: "script",
  keys,
  impliedBy: ["script"],
  cost: "none",
  check: ({ script }) =>
    script === undefined
      ? [{ path: ["mind"], message: "mind: script needs a script", hint: null }]
      : [],
  oddities: ({ script = [] }) => refusedIn(script, ["script"]),
  load: async () => ({
    open: ({ scriptThinkMs: thinkMs }) => ({
      create: (_, { script: entries = [], script_loop: loop = false }) =>
        scriptMind({ entries, loop, thinkMs }),
    }),
    preview: null,
    template: () => ({ text: TEMPLATE }),
  }),
});
