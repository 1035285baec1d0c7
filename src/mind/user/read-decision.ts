import { z } from "zod";
import { isObject, type Json, jsonProblem } from "../../kernel/index.ts";
import { type Finding, findingsOf } from "../finding.ts";
import { withKnownFields } from "../reply/known-fields.ts";
import { type SleepEntry, sleepSchema } from "../script/sleep-schema.ts";

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

export type PlainDecision = {
  readonly action: Json;
  /** Undefined keeps the old memory. */
  readonly memory: Json | undefined;
  readonly reasoning: string;
  readonly waitMs: number;
  readonly sleep: SleepEntry | null;
};

/** Checks the plain data that `decide` returned. */
export const readDecision = (given: unknown): ReadDecision => {
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
