import type { Reasoning } from "../port/reasoning.ts";

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
