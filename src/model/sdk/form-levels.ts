/**
 * How to request a reply form. `rich` sends a schema with unions, `flat` sends a schema without
 * unions, and `json` requests any JSON. For `json` and `text` the system text describes the form.
 */
export type FormLevel = "rich" | "flat" | "json" | "text";

/** Remembers which forms the models of a provider refuse. */
export class FormLevels {
  readonly #ladder: readonly FormLevel[];
  readonly #steps = new Map<string, number>();

  constructor(ladder: readonly FormLevel[]) {
    this.#ladder = ladder;
  }

  levelOf(model: string): FormLevel {
    return this.#ladder[this.#steps.get(model) ?? 0] ?? "text";
  }

  /** Records that the model refused `level`. Returns the next level, or null if there is none. */
  refused(model: string, level: FormLevel): FormLevel | null {
    const next = this.#ladder.indexOf(level) + 1;
    if (next >= this.#ladder.length) return null;
    // Concurrent calls may report the refusal of an earlier level. The level must not go back.
    this.#steps.set(model, Math.max(next, this.#steps.get(model) ?? 0));
    return this.levelOf(model);
  }
}

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

export const isAboutForm = (message: string): boolean => ABOUT_THE_FORM.test(message);
