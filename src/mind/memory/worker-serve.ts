import { parentPort } from "node:worker_threads";
import type { Calls } from "./worker-link.ts";

/** What a thread sends back. */
export type Reply =
  | { readonly kind: "given"; readonly number: number; readonly given: unknown }
  | { readonly kind: "failed"; readonly number: number; readonly problem: string }
  | { readonly kind: "note"; readonly text: string };

type Answers<C extends Calls> = {
  readonly [K in keyof C]: (taken: C[K]["takes"]) => C[K]["gives"] | Promise<C[K]["gives"]>;
};

const send = (reply: Reply): void => parentPort?.postMessage(reply);

/** Says something to the other side that nobody has asked. */
export const tell = (text: string): void => send({ kind: "note", text });

/**
 * Answers questions: one after the other in the order in which they come, or all at once where an
 * answer mostly waits for somebody else. What an answer throws goes to the one who asked.
 */
export const serve = <C extends Calls>(order: "in turn" | "at once", answers: Answers<C>): void => {
  let last = Promise.resolve();
  parentPort?.on("message", ({ number, call, taken }) => {
    const answer = async (): Promise<void> => {
      try {
        send({ kind: "given", number, given: await answers[call]?.(taken) });
      } catch (thrown) {
        send({ kind: "failed", number, problem: problemOf(thrown) });
      }
    };
    if (order === "at once") void answer();
    else last = last.then(answer);
  });
};

const PROBLEM_UNITS_MAX = 300;

/** One line that says what was thrown, with what lay beneath it or came with it. */
export const problemOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? `: ${thrown.cause.message}` : "";
  // The client of Qdrant keeps there what the server has said.
  const answer = "data" in thrown ? `: ${JSON.stringify(thrown.data)}` : "";
  const problem = `${thrown.message}${cause}${answer}`;
  return problem.replace(/\s+/g, " ").slice(0, PROBLEM_UNITS_MAX);
};
