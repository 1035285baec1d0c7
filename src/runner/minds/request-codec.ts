import { formBytes, type ModelRequest, sameChars } from "../../mind/index.ts";

type Texts = Pick<ModelRequest, "system" | "prompt">;

/**
 * A model request without what only the place of its mind needs. The calls of a thought repeat much
 * of their texts, so a request names what it shares with the request before it in the same thought.
 */
export type SentRequest = Omit<
  ModelRequest,
  ("form" | "messages" | "durable" | "attemptBy" | "onDelta" | "onRetry") | ("system" | "prompt")
> & {
  readonly form: { readonly name: string; readonly bytes: number } | null;
  /** Null: as in the request before. */
  readonly system: string | null;
  /** The first `same` characters are those of the prompt before. `rest` follows. */
  readonly prompt: { readonly same: number; readonly rest: string };
};

const NO_TEXTS: Texts = { system: "", prompt: "" };

/** Encodes the requests of one thought, in order. */
export class RequestWriter {
  #last = NO_TEXTS;

  write(request: ModelRequest): SentRequest {
    const { form, system, prompt, ...about } = request;
    const {
      messages: _,
      durable: __,
      onDelta: ___,
      onRetry: ____,
      attemptBy: _____,
      ...sent
    } = about;
    const same = sameChars(this.#last.prompt, prompt);
    const isSameSystem = system === this.#last.system;
    this.#last = { system, prompt };
    return {
      ...sent,
      form: form === null ? null : { name: form.name, bytes: formBytes(form) },
      system: isSameSystem ? null : system,
      prompt: { same, rest: prompt.slice(same) },
    };
  }
}

/** Decodes the texts of the requests of one `RequestWriter`, in order. */
export class RequestReader {
  #last = NO_TEXTS;

  read({ system, prompt: { same, rest } }: SentRequest): Texts {
    const prompt = this.#last.prompt.slice(0, same) + rest;
    this.#last = { system: system ?? this.#last.system, prompt };
    return this.#last;
  }
}
