import { z } from "zod";

const LEVELS = ["off", "low", "medium", "high"] as const;
type Level = (typeof LEVELS)[number];

/** Anthropic accepts no smaller number of tokens. */
const TOKENS_MIN = 1_024;
const TOKENS_MAX = 200_000;

/** How much a model reasons before it replies: a level, or the maximum number of tokens. */
export const reasoningSetting = z.union([z.enum(LEVELS), z.int().min(TOKENS_MIN).max(TOKENS_MAX)]);
export type Reasoning = z.infer<typeof reasoningSetting>;

/** The tokens that a request allows for reasoning, in addition to the tokens of the reply. */
const REASONING_TOKENS: { readonly [L in Level]: number } = {
  off: 0,
  low: 1_024,
  medium: 4_096,
  high: 16_384,
};

/** Null means that a request has no setting, so the model reasons as its provider decides. */
export const reasoningTokens = (reasoning: Reasoning | null): number => {
  if (reasoning === null) return 0;
  return typeof reasoning === "number" ? reasoning : REASONING_TOKENS[reasoning];
};

export type EffortLevel = Exclude<Level, "off">;

/** Returns the highest level whose tokens a number covers. Some models accept only levels. */
export const effortOf = (reasoning: EffortLevel | number): EffortLevel => {
  if (typeof reasoning !== "number") return reasoning;
  if (reasoning >= REASONING_TOKENS.high) return "high";
  return reasoning >= REASONING_TOKENS.medium ? "medium" : "low";
};

type Limits = { readonly maxTokens: number; readonly reasoning: Reasoning | null };

/** Returns the maximum number of output tokens: those of the reply and those of reasoning. */
export const outputTokensMax = ({ maxTokens, reasoning }: Limits): number =>
  maxTokens + reasoningTokens(reasoning);
