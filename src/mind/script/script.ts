import { z } from "zod";
import { type Json, REFUSAL_CODES, type Sleep } from "../../kernel/index.ts";
import { plain } from "../memory-codec.ts";
import { relay } from "../relay.ts";
import { type SleepEntry, sleepOf, sleepSchema } from "./sleep-schema.ts";

/** The values of an action go to the world as they are; only its keys are checked here. */
const value = z.json().optional();
const ACTIONS = {
  noop: z.strictObject({}),
  read_artifact: z.strictObject({ artifact_id: value, max_price: value }),
  write_artifact: z.strictObject({
    artifact_id: value,
    artifact_type: value,
    content: value,
    code: value,
    price: value,
    read_price: value,
    access: value,
    access_locked: value,
    interface: value,
    depends_on: value,
    metadata: value,
    has_standing: value,
    max_price: value,
  }),
  invoke_artifact: z.strictObject({
    artifact_id: value,
    method: value,
    args: value,
    attach: value,
    max_price: value,
  }),
};

const action = z.union([
  z.strictObject({ noop: ACTIONS.noop }),
  z.strictObject({ read_artifact: ACTIONS.read_artifact }),
  z.strictObject({ write_artifact: ACTIONS.write_artifact }),
  z.strictObject({ invoke_artifact: ACTIONS.invoke_artifact }),
]);

const condition = z.enum(["failed", "succeeded", ...REFUSAL_CODES]);

export type Entry =
  | z.infer<typeof action>
  | { readonly wait: number }
  | { readonly sleep: SleepEntry }
  | { readonly repeat: number; readonly do: readonly Entry[] }
  | { readonly if_last: z.infer<typeof condition>; readonly do: readonly Entry[] };

/** What an entry may begin with, and what it does. */
export const SCRIPT_WORDS = {
  noop: "does nothing for one iteration",
  read_artifact: "reads: `artifact_id`, `max_price?`",
  write_artifact: "creates or changes: `artifact_id` and the fields of the artifact",
  invoke_artifact: "calls: `artifact_id`, `method?`, `args?`, `attach?`, `max_price?`",
  wait: "lets so many seconds pass before the action that follows",
  sleep: "sleeps after the action before it: `for_s`, and `until?`, a list of conditions",
  repeat: "does what is in `do` so many times",
  if_last: "does what is in `do` if the last action `failed`, `succeeded` or had this refusal code",
} as const;
type Word = keyof typeof SCRIPT_WORDS;
const WORDS = [
  "noop",
  "read_artifact",
  "write_artifact",
  "invoke_artifact",
  "wait",
  "sleep",
  "repeat",
  "if_last",
] as const satisfies readonly Word[];

/** One entry, by the word it begins with, so that errors name what was meant. */
export const entrySchema: z.ZodType<Entry> = z.lazy(() =>
  z.custom<Entry>().superRefine((given, context) => {
    const word = WORDS.find((key) => typeof given === "object" && given !== null && key in given);
    const schema = word === undefined ? null : schemaOf(word);
    if (schema === null) {
      const shown = typeof given === "object" && given !== null ? Object.keys(given)[0] : given;
      const rule = `an entry is a map with one of ${WORDS.join(", ")}, as in "noop: {}"`;
      const message = `"${String(shown)}" is no action; ${rule}`;
      context.addIssue({ code: "custom", message });
      return;
    }
    relay(schema, given, { context });
  }),
);

const schemaOf = (word: Word): z.ZodType => {
  switch (word) {
    case "wait":
      return z.strictObject({ wait: z.number().nonnegative().max(1e9) });
    case "sleep":
      return z.strictObject({ sleep: sleepSchema });
    case "repeat":
      return z.strictObject({
        repeat: z.number().int().positive().max(1_000_000),
        do: z.array(entrySchema).min(1),
      });
    case "if_last":
      return z.strictObject({ if_last: condition, do: z.array(entrySchema).min(1) });
    case "noop":
    case "read_artifact":
    case "write_artifact":
    case "invoke_artifact":
      return z.strictObject({ [word]: ACTIONS[word] });
  }
};

/** One instruction of a script, flat, so that a place in it is one number. */
export type Instruction =
  | { readonly op: "act"; readonly action: Json; readonly sleep: Sleep | null }
  | { readonly op: "wait"; readonly ms: number }
  | { readonly op: "repeat"; readonly times: number; readonly end: number }
  | { readonly op: "again"; readonly start: number }
  | { readonly op: "unless_last"; readonly condition: string; readonly to: number };

export const compileScript = (entries: readonly Entry[]): readonly Instruction[] => {
  const program: Instruction[] = [];
  compileList(entries, program);
  return program;
};

/** An agent sleeps after the action that stands before; where none does, after doing nothing. */
const compileList = (entries: readonly Entry[], program: Instruction[]): void => {
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
    action = "do" in entry || "wait" in entry ? undefined : plain(entry);
  }
};

type Plain = Exclude<Entry, { readonly sleep: unknown }>;

const compileEntry = (entry: Plain, program: Instruction[]): void => {
  if ("wait" in entry) {
    program.push({ op: "wait", ms: Math.round(entry.wait * 1000) });
    return;
  }
  if (!("do" in entry)) {
    program.push({ op: "act", action: plain(entry), sleep: null });
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
