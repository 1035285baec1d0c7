import { z } from "zod";
import { isObject, type Json, jsonProblem, type View } from "../../kernel/index.ts";
import { asJson } from "../mind-memory-codec.ts";
import { type SleepEntry, sleepSchema } from "../script/sleep-schema.ts";

/** What your mind knows when it decides. All of it is a copy, so changes have no effect. */
export type Occasion = {
  /** What the agent sees of the world. */
  readonly view: View;
  /** The memory that your last decision returned, or null before the first decision. */
  readonly memory: Json;
  /** The settings in `agent.yaml`. */
  readonly settings: { readonly [key: string]: Json };
  /** Returns a number in [0, 1). Use it instead of `Math.random`, so that runs repeat. */
  readonly random: () => number;
};

/** What your mind decides. */
export type Choice = {
  /** Such as `{ noop: {} }` or `{ invoke_artifact: { artifact_id: "x", args: [2] } }`. */
  readonly action: { readonly [kind: string]: unknown };
  /** Plain data that comes back as `memory` next time. Omit it to keep the old memory. */
  readonly memory?: unknown;
  /** Why, in a sentence. The journal and `sim explain` show it. */
  readonly reasoning?: string;
  /** The simulated time to wait before the action, in ms. */
  readonly waitMs?: number;
  /** The sleep after the action, as in a script: `{ for_s: 30, until: [...] }`. */
  readonly sleep?: SleepEntry;
};

/**
 * The default export of a module that `mind: ./mind.ts` names.
 *
 * Contract: `decide` is synchronous, and its result depends only on its argument. `decide` keeps
 * nothing in variables between calls, because a run can stop and resume between any two calls.
 */
export type UserMind = { readonly decide: (occasion: Occasion) => Choice };

const DEPTH_MAX = 64;
const MEMORY_CHARS_MAX = 65_536;
const WAIT_MS_MAX = 1e12;

const choiceSchema = z.strictObject({
  action: z.custom<Choice["action"]>((given) => isObject(given), { error: "must be an object" }),
  memory: z.unknown().optional(),
  reasoning: z.string().optional(),
  waitMs: z.int().min(0).max(WAIT_MS_MAX).optional(),
  sleep: sleepSchema.optional(),
});

type ReadChoice =
  | { readonly ok: true; readonly choice: PlainChoice }
  | { readonly ok: false; readonly problem: string };

type PlainChoice = {
  readonly action: Json;
  /** Undefined keeps the old memory. */
  readonly memory: Json | undefined;
  readonly reasoning: string;
  readonly waitMs: number;
  readonly sleep: SleepEntry | null;
};

/** Reads the value that `decide` returned. */
export const readChoice = (given: unknown): ReadChoice => {
  if (given instanceof Promise) return wrong("decide returned a promise; it must not be async");
  if (!isObject(given))
    return wrong("decide must return an object such as { action: { noop: {} } }");
  const parsed = choiceSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join(".") ?? "";
    return wrong(`decide returned a wrong ${place || "decision"}: ${issue?.message ?? ""}`);
  }
  const { reasoning = "", waitMs = 0, sleep = null } = parsed.data;
  const action = plainCopy(parsed.data.action);
  const memory = plainCopy(parsed.data.memory);
  const problem = problemWith("action", action) ?? problemWith("memory", memory ?? null);
  if (problem !== null) return wrong(problem);
  const chars = memory === undefined ? 0 : JSON.stringify(memory).length;
  if (chars > MEMORY_CHARS_MAX) {
    const most = `the maximum is ${MEMORY_CHARS_MAX}`;
    return wrong(`decide returned a memory of ${chars} characters; ${most}`);
  }
  const kept = memory === undefined ? undefined : asJson(memory);
  const plain = { action: asJson(action), memory: kept };
  return { ok: true, choice: { ...plain, reasoning, waitMs, sleep } };
};

const wrong = (problem: string): ReadChoice => ({ ok: false, problem });

const problemWith = (name: string, value: unknown): string | null => {
  const problem = foreignIn(value) ?? jsonProblem(value, DEPTH_MAX);
  return problem === null ? null : `decide returned a wrong ${name}: ${problem}`;
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
};

/** Says which value is an instance of a class, such as a `Map`. Null if there is none. */
const foreignIn = (value: unknown, depth = DEPTH_MAX): string | null => {
  if (typeof value !== "object" || value === null || depth < 0) return null;
  if (!isPlain(value)) return `a ${value.constructor.name} is not JSON`;
  const found = Object.values(value).find((inner) => foreignIn(inner, depth - 1) !== null);
  return found === undefined ? null : foreignIn(found, depth - 1);
};

/** Copies lists and plain objects, without the keys whose value is undefined. */
const plainCopy = (given: unknown, depth = DEPTH_MAX): unknown => {
  if (typeof given !== "object" || given === null || depth < 0 || !isPlain(given)) return given;
  if (Array.isArray(given)) return given.map((item) => plainCopy(item, depth - 1));
  const kept = Object.entries(given).filter(([, item]) => item !== undefined);
  return Object.fromEntries(kept.map(([key, item]) => [key, plainCopy(item, depth - 1)]));
};
