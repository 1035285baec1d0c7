import {
  type AgentProgram,
  newMark,
  runTurn,
  type TurnRequest,
  type TurnResult,
} from "../../../src/coding-agents/index.ts";
import { fakeCommand, pathWith } from "../../support/fake-coding-agent/fake-agent.ts";
import type { Dialect, Plan, Step } from "../../support/fake-coding-agent/plan.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

type Given = Partial<TurnRequest> & Pick<Partial<Plan>, "resumed">;

/** Without the keys of the machine: an agent in a test can write down what it gets. */
export const HOST = { PATH: process.env.PATH };

/** Nothing in these tests depends on how long a turn takes. */
const TIMEOUT_MS = 60_000;

/** Runs one turn of an agent that does these steps, under the name of its provider. */
export const turn = (
  dialect: Dialect,
  steps: readonly Step[],
  { resumed, env = HOST, ...given }: Given = {},
): Promise<TurnResult> => {
  const plan = resumed === undefined ? {} : { resumed };
  const isText = dialect === "text";
  const program: AgentProgram = isText
    ? { provider: "command", argv: fakeCommand(dialect, steps), stream: "text" }
    : { provider: dialect, executable: null, args: [], model: null, unsafe: false };
  return runTurn({
    program,
    folder: temporaryFolder(),
    prompt: "Do it.",
    systemPrompt: "",
    session: null,
    mcpServer: null,
    timeoutMs: TIMEOUT_MS,
    env: isText ? env : { ...env, PATH: pathWith(dialect, steps, plan) },
    variables: {},
    signal: new AbortController().signal,
    mark: newMark(),
    onSegment: () => {},
    onSession: () => {},
    onStatus: () => {},
    ...given,
  });
};
