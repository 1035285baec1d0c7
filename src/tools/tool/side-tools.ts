import { z } from "zod";
import { fenced } from "../../mind/index.ts";
import { type Conversation, newSide } from "../conversation/conversation.ts";
import { answered, failed, type Tool, tool } from "./tool.ts";

/** Model calls of a helper, before its last answer. */
export const SIDE_STEPS_MAX = 10;
/** Helpers of one agent that work at the same time. */
const RUNNING_MAX = 3;
/** Results of helpers that wait to be told. The oldest are dropped. */
const RESULTS_MAX = 20;

const helperText = (name: string, task: string): string =>
  `You are ${name}, a helper of yourself: you have the same name, files and budget, but none of the
messages of your other conversation. Complete this task on your own, and end with a text that
reports the result. You have ${SIDE_STEPS_MAX} steps.

${task}`;

const running = ({ sides }: Conversation): readonly string[] =>
  Object.keys(sides).filter((name) => name.startsWith("helper-") && sides[name]?.turn !== null);

const START = tool({
  name: "start_helper",
  description:
    "Starts a helper: a conversation of its own that works on a task, next to yours and with " +
    `your budget, for at most ${SIDE_STEPS_MAX} steps. It sees your files, but not your ` +
    "messages. You get its result in a later step.",
  input: z.strictObject({ task: z.string().min(1) }),
  run: ({ task }, { focus, main }) => {
    if (focus !== null) return failed("a helper or a heartbeat cannot start helpers");
    if (running(main).length >= RUNNING_MAX) {
      return failed(`at most ${RUNNING_MAX} helpers work at once; wait_for_helper waits for one`);
    }
    const name = `helper-${main.helpers + 1}`;
    const start = { trigger: "task", owes: null, sent_before: 0 } as const;
    const side = newSide(helperText(name, task), start);
    const after = { ...main, helpers: main.helpers + 1, sides: { ...main.sides, [name]: side } };
    return { ...answered(`${name} works on it`), main: after };
  },
});

const AWAIT = tool({
  name: "wait_for_helper",
  description: "Your next step comes when one of your helpers has ended.",
  input: z.strictObject({}),
  run: (_, { focus, main }) => {
    if (focus !== null) return failed("a helper or a heartbeat cannot wait for helpers");
    if (running(main).length === 0) return failed("you have no helpers; start_helper starts one");
    const turn = main.turn === null ? null : { ...main.turn, awaits: true };
    return { ...answered("you continue when a helper has ended"), main: { ...main, turn } };
  },
});

/** Slow tools. Scripts cannot call them, because a script has no conversation of its own. */
export const SIDE_TOOLS: readonly Tool[] = [START, AWAIT];

/** The memory after a helper has ended with this text. The main conversation gets its result. */
export const withResult = (main: Conversation, name: string, text: string): Conversation => {
  const said = text.trim() === "" ? "It ended without a text." : fenced(text);
  const turn = main.turn === null ? null : { ...main.turn, awaits: false };
  const results = [...main.results, `The result of ${name}:\n${said}`];
  return { ...main, turn, results: results.slice(-RESULTS_MAX) };
};
