import { z } from "zod";
import {
  isObject,
  RESOURCES,
  type Sleep,
  WAKES_MAX,
  WAKING_KINDS,
  type Wake,
} from "../../kernel/index.ts";
import { addIssues } from "./findings.ts";

const amount = z.int().nonnegative();

/** The schemas of the conditions that end a sleep early, by key. */
export const WAKES = {
  event: z.strictObject({ event: z.enum(WAKING_KINDS) }),
  scrip_at_least: z.strictObject({ scrip_at_least: amount }),
  llm_budget_at_least: z.strictObject({ llm_budget_at_least: amount }),
  resource: z.strictObject({ resource: z.enum(RESOURCES), available: amount }),
} as const;
const WAKE_WORDS = ["event", "scrip_at_least", "llm_budget_at_least", "resource"] as const;

const EXAMPLE = '[{ event: "artifact_invoked" }, { scrip_at_least: 150 }]';

const wordsIn = (given: unknown): readonly (typeof WAKE_WORDS)[number][] =>
  isObject(given) ? WAKE_WORDS.filter((word) => word in given) : [];

/** One condition. Its key selects the schema, so that errors are specific to the key. */
const wakeSchema = z.custom<Wake>().superRefine((given, context) => {
  const [word, second] = wordsIn(given);
  if (word === undefined) {
    const message = `is not a condition: write a map with one of ${WAKE_WORDS.join(", ")}`;
    context.addIssue({ code: "custom", message: `${message}, as in ${EXAMPLE}` });
  } else if (second !== undefined) {
    const rule = "each condition is a map of its own, and the first to come true ends the sleep";
    const message = `has ${word} and ${second} in one condition; ${rule}: ${EXAMPLE}`;
    context.addIssue({ code: "custom", message });
  } else addIssues(WAKES[word], given, { context });
});

const fields = z.strictObject({
  for_s: z.number().nonnegative().max(1e9),
  until: z.array(wakeSchema).max(WAKES_MAX).optional(),
});
export type SleepEntry = z.infer<typeof fields>;

export const sleepSchema = z.custom<SleepEntry>().superRefine((given, context) => {
  const [word] = wordsIn(given);
  if (word === undefined) addIssues(fields, given, { context });
  else {
    const message = `has ${word} next to for_s; write conditions in until, as in until: ${EXAMPLE}`;
    context.addIssue({ code: "custom", message });
  }
});

/** Converts a sleep to the format of the world. */
export const sleepOf = ({ for_s, until = [] }: SleepEntry): Sleep => ({
  for_ms: Math.round(for_s * 1000),
  until,
});
