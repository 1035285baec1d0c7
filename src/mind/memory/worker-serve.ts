import { parentPort } from "node:worker_threads";
import type { Calls, Question } from "./worker-link.ts";

/** The answer to the question of that number. */
export type Reply =
  | { readonly number: number; readonly given: unknown }
  | { readonly number: number; readonly problem: string };

/** What a thread says that nobody has asked. */
export type Note = { readonly note: string };

type Answers<C extends Calls> = {
  readonly [K in keyof C]: (taken: C[K]["takes"]) => C[K]["gives"] | Promise<C[K]["gives"]>;
};

export const tell = (note: string): void => parentPort?.postMessage({ note });

/** So many replies do not wait for others. */
const OUTBOX_REPLIES_MAX = 16;
let outbox: Reply[] = [];

const post = (): void => {
  if (outbox.length > 0) parentPort?.postMessage(outbox);
  outbox = [];
};

/** Replies of one turn of the event loop go in few messages, as questions do. */
const send = (reply: Reply): void => {
  if (outbox.length === 0) setImmediate(post);
  outbox.push(reply);
  if (outbox.length >= OUTBOX_REPLIES_MAX) post();
};

/**
 * Answers questions: one after the other in the order in which they come, or all at once where an
 * answer mostly waits for somebody else. What an answer throws goes to the one who asked.
 */
export const serve = <C extends Calls>(order: "in turn" | "at once", answers: Answers<C>): void => {
  let last = Promise.resolve();
  const answer = async ({ number, call, taken }: Question): Promise<void> => {
    try {
      send({ number, given: await answers[call]?.(taken) });
    } catch (thrown) {
      send({ number, problem: problemOf(thrown) });
    }
  };
  parentPort?.on("message", (questions: readonly Question[]) => {
    for (const question of questions) {
      if (order === "at once") void answer(question);
      else last = last.then(() => answer(question));
    }
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
