import { z } from "zod";
import {
  EVENT_KINDS,
  type EventKind,
  type Json,
  REFUSAL_CODES,
  RESOURCES,
  type Sleep,
  WAKES_MAX,
} from "../../kernel/index.ts";
import { plain } from "../memory-codec.ts";

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

const kinds = Object.keys(EVENT_KINDS).filter((kind): kind is EventKind => kind in EVENT_KINDS);
const amount = z.int().nonnegative();

/** What may end a sleep before its time. */
const wakeSchema = z.union([
  z.strictObject({ event: z.enum(kinds) }),
  z.strictObject({ scrip_at_least: amount }),
  z.strictObject({ llm_budget_at_least: amount }),
  z.strictObject({ resource: z.enum(RESOURCES), available: amount }),
]);
const sleepSchema = z.strictObject({
  for_s: z.number().nonnegative().max(1e9),
  until: z.array(wakeSchema).max(WAKES_MAX).optional(),
});

const condition = z.enum(["failed", "succeeded", ...REFUSAL_CODES]);

export type Entry =
  | z.infer<typeof action>
  | { readonly wait: number }
  | { readonly sleep: z.infer<typeof sleepSchema> }
  | { readonly repeat: number; readonly do: readonly Entry[] }
  | { readonly if_last: z.infer<typeof condition>; readonly do: readonly Entry[] };

const WORDS = [
  "noop",
  "read_artifact",
  "write_artifact",
  "invoke_artifact",
  "wait",
  "sleep",
  "repeat",
  "if_last",
] as const;
type Word = (typeof WORDS)[number];

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
    const result = schema.safeParse(given);
    for (const issue of result.error?.issues ?? []) {
      // A copy, because zod puts the way to the entry in front of it.
      const path = [...issue.path];
      const params = { schema, issue };
      context.addIssue({ code: "custom", path, message: issueText(issue), params });
    }
  }),
);

const issueText = (issue: z.core.$ZodIssue): string =>
  issue.code === "unrecognized_keys" ? `unknown key "${issue.keys.join('", "')}"` : issue.message;

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

const sleepOf = ({ for_s, until = [] }: z.infer<typeof sleepSchema>): Sleep => ({
  for_ms: Math.round(for_s * 1000),
  until,
});

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
