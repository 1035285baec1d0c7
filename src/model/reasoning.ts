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

/**
 * Remembers which reasoning settings the models of a provider refuse. Notes for the people who run
 * the simulation go to `note`, each once. They are not in the journal, because a replay calls no
 * model and must have the same journal.
 */
export class ReasoningSupport {
  readonly #note: (text: string) => void;
  readonly #refused = new Set<string>();
  readonly #noted = new Set<string>();

  constructor(note: (text: string) => void) {
    this.#note = note;
  }

  /** Returns the setting to send to `model`, or null if the model refuses the setting. */
  settingFor(model: string, reasoning: Reasoning | null): Reasoning | null {
    return this.#refused.has(`${model} ${reasoning}`) ? null : reasoning;
  }

  refused(model: string, reasoning: Reasoning): void {
    this.#refused.add(`${model} ${reasoning}`);
    this.#noteOnce(
      `${model} refuses \`reasoning: ${reasoning}\`; its requests are sent without this setting`,
    );
  }

  /** Notes that a model has no such setting, and that its package sent the nearest one. */
  replaced(model: string, reasoning: Reasoning): void {
    this.#noteOnce(
      reasoning === "off"
        ? `${model} cannot switch reasoning off; it reasons as little as it can, within max_tokens`
        : `${model} does not have \`reasoning: ${reasoning}\`; the nearest setting is sent`,
    );
  }

  #noteOnce(text: string): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    this.#note(text);
  }
}

/** A refused `tool_choice` is about the form of a reply, even if reasoning is the reason. */
export const isAboutReasoning = (message: string): boolean =>
  /reasoning|thinking|effort/i.test(message) && !/tool_choice/i.test(message);
