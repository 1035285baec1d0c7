import { workingMemoryOf } from "../memory/index.ts";
import type { Mind, Thought } from "../mind.ts";
import { fenced } from "../prompt/index.ts";
import {
  type Evaluate,
  runWorkflow,
  type Workflow,
  type WorkflowPorts,
  type WorkflowRun,
  workflowVariables,
} from "../workflow/index.ts";
import { beginThinking, type LlmParts, type Moment, priceOf, promptWith } from "./llm-mind.ts";
import type { MindSettings } from "./mind-settings.ts";
import { proposeAction } from "./propose-action.ts";
import { recallFor } from "./recalling.ts";
import { recollectionOf } from "./recollection.ts";
import type { Thinking } from "./thinking.ts";

export type WorkflowParts = LlmParts & { readonly evaluate: Evaluate };

export type WorkflowAgent = { readonly settings: MindSettings; readonly workflow: Workflow };

/** The mind of an agent that decides in steps. What its workflow keeps is the agent's memory. */
export const workflowMind = (agent: WorkflowAgent, parts: WorkflowParts): Mind => ({
  price: { ...priceOf(agent.settings, parts.pricing), calls: callsNeeded(agent) },
  thinkMs: parts.thinkMs === "latency" ? [0, 0] : parts.thinkMs,
  backsOff: true,
  recollect: recollectionOf(agent.settings, parts.memory),
  decide: (view, signal) => decide(agent, parts, { view, signal }),
});

/** The calls that a thought cannot do without: one that begins with fewer left is paid in vain. */
export const callsNeeded = ({ workflow, settings }: WorkflowAgent): number => {
  const sure = workflow.steps.filter((step) => {
    return step.type === "llm" && step.if === undefined && step.in_state === undefined;
  });
  return Math.max(1, Math.min(sure.length, workflow.max_model_calls ?? settings.callsMax));
};

const decide = async (
  agent: WorkflowAgent,
  parts: WorkflowParts,
  moment: Moment,
): Promise<Thought> => {
  const { view } = moment;
  const { settings, workflow } = agent;
  const callsMax = workflow.max_model_calls ?? settings.callsMax;
  const thinking = beginThinking({ ...settings, callsMax }, parts, moment);
  const memories = await recallFor(view, settings.rag, parts.memory);
  const workingMemory = workingMemoryOf(view.content, view.workingMemoryText);
  const run = await runWorkflow(workflow, {
    memory: view.agent.mind,
    variables: workflowVariables(view, { memories, workingMemory }),
    ports: portsOf(settings, parts, {
      thinking,
      prompt: promptWith(settings, parts, { view, memories }),
    }),
    fence: fenced,
    jsonDepthMax: parts.jsonDepthMax,
  });
  return thoughtOf(run, thinking, parts);
};

type Talk = {
  readonly thinking: Thinking;
  readonly prompt: ReturnType<typeof promptWith>;
};

const portsOf = (
  settings: MindSettings,
  parts: WorkflowParts,
  { thinking, prompt }: Talk,
): WorkflowPorts => {
  const { system } = prompt;
  return {
    evaluate: parts.evaluate,
    ask: async ({ purpose, prompt: question, form }) => {
      const asked = await thinking.ask({ purpose, system, prompt: question, form });
      if (asked.kind === "unaffordable") {
        return { ok: false, reason: "insufficient_llm_tokens", message: asked.problem };
      }
      const { reply } = asked;
      return reply.ok
        ? { ok: true, text: reply.text }
        : { ok: false, reason: "llm_error", message: `${reply.fault}: ${reply.message}` };
    },
    propose: ({ purpose, prompt: question }) =>
      proposeAction(thinking, {
        purpose,
        system,
        prompt: `${prompt.prompt}\n\n## This step\n${question}`,
        schema: settings.cognitiveSchema,
        jsonDepthMax: parts.jsonDepthMax,
        repairAttempts: settings.repairAttempts,
      }),
  };
};

const thoughtOf = (run: WorkflowRun, thinking: Thinking, parts: WorkflowParts): Thought => {
  const { usage } = thinking;
  if (!run.ok) return { kind: "failed", reason: run.reason, message: run.message, usage };
  const { action, reasoning, sleep } = run.reply;
  return {
    kind: "decided",
    action,
    reasoning,
    memory: run.memory,
    usage,
    waitMs: parts.thinkMs === "latency" ? thinking.latencyMs : 0,
    sleep,
    keeps: {
      notes: run.notes,
      workingMemory: run.workingMemory === null ? null : JSON.stringify(run.workingMemory, null, 1),
    },
  };
};
