import type { View } from "../../kernel/index.ts";
import { workingMemoryOf } from "../memory/index.ts";
import type { Mind, Thought } from "../mind.ts";
import { fenced } from "../prompt/index.ts";
import { decisionWanted } from "../reply/index.ts";
import {
  type Evaluate,
  runWorkflow,
  type StepPrompt,
  stepPrompts,
  type Workflow,
  type WorkflowPorts,
  type WorkflowRun,
  workflowVariables,
} from "../workflow/index.ts";
import { type Impression, promptWith } from "./agent-prompt.ts";
import { beginThinking, type LlmParts, type Moment } from "./llm-mind.ts";
import type { MindSettings } from "./mind-settings.ts";
import { recallFor } from "./recalling.ts";
import { recollectionOf } from "./recollection.ts";
import type { Thinking } from "./thinking.ts";
import { callsNeeded, priceOf } from "./thought-price.ts";

export type WorkflowParts = LlmParts & {
  /** Makes the evaluator of one thought, which has an allowance of gas. */
  readonly evaluator: () => Evaluate;
};

export type WorkflowAgent = { readonly settings: MindSettings; readonly workflow: Workflow };

/** The mind of an agent that decides in steps. What its workflow keeps is the agent's memory. */
export const workflowMind = (agent: WorkflowAgent, parts: WorkflowParts): Mind => ({
  price: { ...priceOf(agent.settings, parts.pricing), calls: callsNeeded(agent) },
  thinkMs: parts.thinkMs === "recorded" ? [0, 0] : parts.thinkMs,
  backsOff: true,
  recollect: recollectionOf(agent.settings, parts.memory),
  decide: (view, signal) => decide(agent, parts, { view, signal }),
});

const decide = async (
  agent: WorkflowAgent,
  parts: WorkflowParts,
  moment: Moment,
): Promise<Thought> => {
  const { view } = moment;
  const { settings, workflow } = agent;
  const callsMax = workflow.max_model_calls ?? settings.callsMax;
  const thinking = beginThinking({ ...settings, callsMax }, parts, moment);
  const memories = await recallFor(moment, settings.rag, parts.memory);
  const prompt = promptWith(settings, parts, { view, memories });
  const run = await runWorkflow(workflow, {
    ...beginning({ view, memories }, parts.jsonDepthMax),
    ports: portsOf(settings, parts, { thinking, prompt }),
  });
  noteTrouble(view.id, run, parts);
  return thoughtOf(run, thinking, parts);
};

/** What an iteration begins with, whomever it asks. */
const beginning = ({ view, memories }: Impression, jsonDepthMax: number) => {
  const workingMemory = workingMemoryOf(view.content, view.workingMemoryText);
  return {
    memory: view.agent.mind,
    variables: workflowVariables(view, { memories, workingMemory }),
    fence: fenced,
    jsonDepthMax,
  };
};

/** What the llm steps of a workflow would be asked first, before a model has said anything. */
export const firstQuestions = (
  workflow: Workflow,
  view: View,
  parts: Pick<WorkflowParts, "evaluator" | "jsonDepthMax">,
): readonly StepPrompt[] =>
  stepPrompts(workflow, {
    ...beginning({ view, memories: [] }, parts.jsonDepthMax),
    ports: { evaluate: parts.evaluator() },
  });

/** What goes wrong in the persona's own words would be seen by nobody where the steps go on. */
const noteTrouble = (id: string, { ok, trace }: WorkflowRun, { warn }: LlmParts): void => {
  for (const { step, outcome, reason, note } of trace) {
    if (outcome === "forgot") warn(`${id} forgets ${step}: ${note}`);
    if (ok && reason === "intent_rejected") warn(`${id} goes on without step ${step}: ${note}`);
  }
};

type Talk = {
  readonly thinking: Thinking;
  readonly prompt: ReturnType<typeof promptWith>;
};

const portsOf = (
  settings: MindSettings,
  parts: WorkflowParts,
  { thinking, prompt }: Talk,
): WorkflowPorts => ({
  evaluate: parts.evaluator(),
  ask: thinking.asking(prompt.system),
  decision: {
    ...decisionWanted({ schema: settings.cognitiveSchema, jsonDepthMax: parts.jsonDepthMax }),
    promptOf: (question) => `${prompt.prompt}\n\n## This step\n${question}`,
    repairs: settings.repairAttempts,
  },
});

const thoughtOf = (run: WorkflowRun, thinking: Thinking, parts: WorkflowParts): Thought => {
  const { usage } = thinking;
  if (!run.ok) {
    const { reason, message, memory } = run;
    return { kind: "failed", reason, message, memory, usage };
  }
  const { action, reasoning, sleep } = run.reply;
  return {
    kind: "decided",
    action,
    reasoning,
    memory: run.memory,
    usage,
    waitMs: parts.thinkMs === "recorded" ? thinking.latencyMs : 0,
    sleep,
    keeps: {
      notes: run.notes,
      workingMemory: run.workingMemory === null ? null : JSON.stringify(run.workingMemory, null, 1),
    },
  };
};
