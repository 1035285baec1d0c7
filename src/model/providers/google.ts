import type { JSONSchema7 } from "@ai-sdk/provider";
import { memoized } from "../../kernel/index.ts";
import { reasoningTokens } from "../port/reasoning.ts";
import { networkProvider } from "./network-provider.ts";

export const google = networkProvider("google", {
  aliases: ["gemini"],
  address: "https://generativelanguage.googleapis.com/v1beta",
  dialect: {
    forms: ["rich", "flat", "text"],
    formsWithoutSchema: ["text"],
    open: async (options) => (await import("@ai-sdk/google")).createGoogle(options),
    reasoning: (model, reasoning, effort) => {
      if (typeof reasoning !== "number" && hasThinkingLevels(model)) return { effort };
      const thinkingBudget = Math.min(reasoningTokens(reasoning), GEMINI_BUDGET_MAX);
      return { options: { thinkingConfig: { thinkingBudget } } };
    },
    schema: (plain) => schemaFor(plain),
  },
});

/** The largest `thinkingBudget` that all models with a budget accept. */
const GEMINI_BUDGET_MAX = 24_576;

/** Gemini has levels from version 3 on. Earlier versions have only a budget. */
const hasThinkingLevels = (model: string): boolean =>
  /(^|\/)gemini-/.test(model) && !/gemini-[12](?:[.-]|$)/.test(model);

/**
 * To replace `const` by `enum`, Google's package copies the schema: a third of each call's time.
 * Instead of a schema without `const`, the package gets a stub. Its `toJSON` returns the schema.
 */
const schemaFor = memoized((plain: JSONSchema7): JSONSchema7 => {
  if (JSON.stringify(plain).includes('"const"')) return plain;
  return Object.assign<JSONSchema7, object>({ type: "object" }, { toJSON: () => plain });
}, new WeakMap());
