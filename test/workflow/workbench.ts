import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { type ActionRecord, isObject, type Json, type JsonObject } from "../../src/kernel/index.ts";
import { type Ask, decisionReader } from "../../src/mind/index.ts";

import { workflowSchema } from "../../src/workflow/check-workflow.ts";
import type { WorkflowRun } from "../../src/workflow/progress.ts";
import { type Mindful, workflowVariables } from "../../src/workflow/variables.ts";
import { runWorkflow } from "../../src/workflow/workflow-runner.ts";
import type { Workflow } from "../../src/workflow/workflow-schema.ts";
import { type Seen, viewWith } from "../support/view.ts";
import { evaluate } from "./sandbox-evaluate.ts";

type View = ReturnType<typeof viewWith>;

/** A reply to one question: text, data, an action, or a failure. */
export type Answer =
  | string
  | { readonly data: Json }
  | { readonly action: Json; readonly reasoning?: string }
  | { readonly fails: "llm_error" | "insufficient_llm_tokens"; readonly message?: string };

/** `prompt` is the question of the step, without the results of earlier steps. */
export type Asked = { readonly step: string; readonly prompt: string; readonly form: boolean };

export type Bench = {
  readonly memory?: Json;
  readonly seen?: Seen;
  readonly actions?: readonly ActionRecord[];
  readonly mindful?: Partial<Mindful>;
  /** How many failures the agent still knows. By default all. */
  readonly failuresKept?: number;
  /** The answers to each step, in the order in which it asks; the last repeats. */
  readonly answers?: { readonly [step: string]: readonly Answer[] };
};

export const workflowOf = (yaml: string): Workflow => workflowSchema.parse(parse(yaml));

/** The workflow in an `agent.yaml`. */
export const workflowIn = (file: string): Workflow => {
  return workflowUnder(readFileSync(new URL(file, import.meta.url), "utf8"));
};

/** The workflow under the key `workflow` of a YAML text. */
export const workflowUnder = (yaml: string): Workflow =>
  z.object({ workflow: workflowSchema }).parse(parse(yaml)).workflow;

/** The fields of a memory of a workflow, or of a part of one. */
export const fieldsIn = (memory: Json | undefined): JsonObject => {
  if (!isObject(memory)) throw new Error("the memory of a workflow must be a map");
  return memory;
};

/** The problems of a workflow, as `place: message (hint)`. */
export const problemsOf = (yaml: string): readonly string[] =>
  (workflowSchema.safeParse(parse(yaml)).error?.issues ?? []).map((issue) => {
    const hint = issue.code === "custom" ? issue.params?.hint : undefined;
    return `${issue.path.join(".")}: ${issue.message}${hint ? ` (${hint})` : ""}`;
  });

export const actionRecord = (about: Partial<ActionRecord> = {}): ActionRecord => ({
  atMs: 0,
  action: "invoke_artifact",
  target: "shop",
  method: "run",
  ok: true,
  code: null,
  message: "",
  ...about,
});
export const failedAction = (about: Partial<ActionRecord> = {}): ActionRecord =>
  actionRecord({ ok: false, code: "not_found", message: "there is no shop", ...about });

const seenBy = ({ seen = {}, actions = [], failuresKept = actions.length }: Bench): View => {
  const view = viewWith(seen);
  const failed = actions.filter(({ ok }) => !ok);
  const last = actions.at(-1);
  const counters = { ...view.agent.counters, actions: actions.length };
  const agent = {
    ...view.agent,
    actions,
    failures: failed.slice(-failuresKept),
    last: last === undefined ? null : { ...last, result: null, cut: false, isFeedback: false },
    counters: { ...counters, succeeded: actions.length - failed.length },
  };
  return { ...view, agent };
};

export type Ran = {
  readonly run: WorkflowRun;
  readonly asked: readonly Asked[];
  /** What each question says about earlier steps, in the order of `asked`. */
  readonly earlier: readonly string[];
  /** `step outcome`, in order. */
  readonly steps: readonly string[];
};

/** One iteration, with scripted answers in place of a model. */
export const iterate = async (workflow: Workflow, bench: Bench = {}): Promise<Ran> => {
  const asked: Asked[] = [];
  const earlier: string[] = [];
  const told = new Map<string, number>();
  let asker = "";
  const answerTo = (step: string): Answer => {
    const answers = bench.answers?.[step] ?? [];
    const before = told.get(step) ?? 0;
    told.set(step, before + 1);
    const answer = answers[Math.min(before, answers.length - 1)];
    if (answer === undefined) throw new Error(`unexpected question of step ${step}`);
    return answer;
  };
  const mindful = { memories: [], workingMemory: null, ...bench.mindful };
  const ask: Ask = async ({ purpose, prompt, form }) => {
    const [before, question] = prompt.split(/^## This step\n/m);
    asked.push({ step: purpose, prompt: question ?? prompt, form: form !== null });
    earlier.push(question === undefined ? "" : (before ?? ""));
    // A repair belongs to the step that asked before.
    if (purpose !== "repair") asker = purpose;
    const answer = answerTo(asker);
    if (typeof answer === "string") return { ok: true, text: answer };
    if ("data" in answer) return { ok: true, text: JSON.stringify(answer.data) };
    if ("fails" in answer) return failure(answer);
    const { action, reasoning: thought_process = "" } = answer;
    return { ok: true, text: JSON.stringify({ thought_process, action }) };
  };
  const run = await runWorkflow(workflow, {
    memory: bench.memory ?? null,
    variables: workflowVariables(seenBy(bench), mindful),
    fence: (text) => `<data>${text}</data>`,
    jsonDepthMax: 12,
    ports: {
      evaluate,
      ask,
      decision: {
        ...decisionReader("simple", 12),
        ask,
        promptOf: (question) => question,
        repairs: 0,
      },
    },
  });
  return { run, asked, earlier, steps: run.trace.map(({ step, outcome }) => `${step} ${outcome}`) };
};

const failure = ({ fails, message = "no luck" }: Extract<Answer, { fails: unknown }>) =>
  ({ ok: false, reason: fails, message }) as const;

/** The action of the iteration; throws if it failed. */
export const actionOf = ({ run }: Ran): Json => {
  if (!run.ok) throw new Error(`${run.reason}: ${run.message}`);
  return run.reply.action;
};

export const call = (target: string): Json => ({ invoke_artifact: { artifact_id: target } });
