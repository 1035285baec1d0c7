import { useEffect, useRef, useState } from "preact/hooks";
import { tokenHere } from "./address.ts";

/** What a question came to: the last answer stays until the next is there. */
export type Answer<Value> = { readonly value: Value | null; readonly problem: string | null };

/** Between two answers to the same question, at least; longer where they take long to make. */
const REST_MS = 1_000;
const REST_FACTOR = 10;
const REST_MS_MAX = 4_000;

const NO_ANSWER = "the dashboard does not answer; has it been stopped?";

const headers = (): Record<string, string> => {
  const token = tokenHere();
  return token === null ? {} : { Authorization: `Bearer ${token}` };
};

const said = async <Value>(response: Response): Promise<Answer<Value>> => {
  const body = await response.json();
  return response.ok ? { value: body, problem: null } : { value: null, problem: body.problem };
};

/** Asks the server, which answers in JSON; whatever goes wrong is told in a line. */
export const ask = async <Value>(path: string, signal?: AbortSignal): Promise<Answer<Value>> => {
  try {
    const given = signal === undefined ? {} : { signal };
    return await said<Value>(await fetch(`/api${path}`, { headers: headers(), ...given }));
  } catch {
    return { value: null, problem: NO_ANSWER };
  }
};

/** Asks for something to be done with the run. */
export const order = async (wish: object): Promise<string> => {
  try {
    const body = JSON.stringify(wish);
    const sent = { method: "POST", headers: headers(), body };
    const { value, problem } = await said<{ message: string }>(await fetch("/api/order", sent));
    return value?.message ?? problem ?? "";
  } catch {
    return NO_ANSWER;
  }
};

/** A question that is asked again and again, but not faster than it can be answered and read. */
class Question<Value> {
  readonly #path: string;
  readonly #tell: (answer: Answer<Value>) => void;
  readonly #over = new AbortController();
  #isWaiting = false;
  #isWanted = false;

  constructor(path: string, tell: (answer: Answer<Value>) => void) {
    this.#path = path;
    this.#tell = tell;
  }

  async ask(): Promise<void> {
    this.#isWanted = true;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    while (this.#isWanted && !this.#over.signal.aborted) {
      this.#isWanted = false;
      const since = performance.now();
      const answer = await ask<Value>(this.#path, this.#over.signal);
      if (this.#over.signal.aborted) return;
      this.#tell(answer);
      const tookMs = performance.now() - since;
      const restMs = Math.min(REST_MS_MAX, Math.max(REST_MS, tookMs * REST_FACTOR));
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    this.#isWaiting = false;
  }

  end(): void {
    this.#over.abort();
  }
}

/** The answer to a question, asked again whenever `version` changes. Null asks nothing. */
export const useAnswer = <Value>(path: string | null, version: unknown = 0): Answer<Value> => {
  const [answer, setAnswer] = useState<Answer<Value>>({ value: null, problem: null });
  const question = useRef<Question<Value> | null>(null);
  useEffect(() => {
    if (path === null) return;
    // What was known stays in view where nobody answers any more.
    const take = (next: Answer<Value>): void =>
      setAnswer((before) => (next.problem === NO_ANSWER && before.value !== null ? before : next));
    const asked = new Question<Value>(path, take);
    question.current = asked;
    return () => asked.end();
  }, [path]);
  useEffect(() => {
    void question.current?.ask();
  }, [path, version]);
  return answer;
};
