import type { ProviderName } from "./model-id.ts";

/**
 * How a provider is told the form of a reply, from the most exact to the least: by a schema with
 * unions, by one without, by asking for some JSON, or in words alone. From `json` on the form
 * stands in the prompt.
 */
export type FormLevel = "rich" | "flat" | "json" | "text";

/** Where each provider begins, and what it falls back to when it refuses. */
const SCHEMA_LADDERS: { readonly [P in ProviderName]: readonly FormLevel[] } = {
  google: ["rich", "flat", "text"],
  anthropic: ["rich", "flat", "text"],
  // Strict mode takes neither unions nor records.
  openai: ["flat", "text"],
  "openai-compatible": ["flat", "json", "text"],
};

const ladderOf = (provider: ProviderName, structuredOutputs: boolean): readonly FormLevel[] => {
  if (structuredOutputs) return SCHEMA_LADDERS[provider];
  return provider === "openai-compatible" ? ["json", "text"] : ["text"];
};

/** Remembers for each model which forms it has refused, for all keys with which it is asked. */
export class FormLevels {
  readonly #ladder: readonly FormLevel[];
  readonly #steps = new Map<string, number>();

  constructor(provider: ProviderName, structuredOutputs: boolean) {
    this.#ladder = ladderOf(provider, structuredOutputs);
  }

  levelOf(model: string): FormLevel {
    return this.#ladder[this.#steps.get(model) ?? 0] ?? "text";
  }

  /** The model has refused `level`. Returns what is left, or null when that was the last one. */
  refused(model: string, level: FormLevel): FormLevel | null {
    const next = this.#ladder.indexOf(level) + 1;
    if (next >= this.#ladder.length) return null;
    // Of many calls at once each learns the same; it counts once.
    this.#steps.set(model, Math.max(next, this.#steps.get(model) ?? 0));
    return this.levelOf(model);
  }
}

/** Words for the ways in which requests name the form of a reply. */
const ABOUT_THE_FORM = new RegExp(
  [
    "schema",
    "response_?(format|mime)",
    "structured.?output",
    "json_object",
    "json mode",
    "\\b(one|any)Of\\b",
    "additional_?properties",
    "property_?names",
    "output_config",
    "text\\.format",
    "tool_choice",
    "grammar",
  ].join("|"),
  "i",
);

/** Whether a refused request was refused for the form that it asked for. */
export const isAboutForm = (message: string): boolean => ABOUT_THE_FORM.test(message);
