import { must } from "../kernel/index.ts";
import { type AgentConfig, isModelMind, POLICY_SETTINGS, policyOf } from "./agent-config.ts";
import {
  type LlmDefaults,
  llmMind,
  settingsOf,
  type WorkflowParts,
  workflowMind,
} from "./llm/index.ts";
import type { Mind, ThoughtPrice } from "./mind.ts";
import { explorer } from "./policy/explorer.ts";
import { integrator } from "./policy/integrator.ts";
import type { KnowHow } from "./policy/know-how.ts";
import { lender } from "./policy/lender.ts";
import { policyMind } from "./policy/policy-mind.ts";
import { producer } from "./policy/producer.ts";
import { trader } from "./policy/trader.ts";
import { worker } from "./policy/worker.ts";
import { zeroIntelligence } from "./policy/zero-intelligence.ts";
import { scriptMind } from "./script/script-mind.ts";

/** What all minds of a run share. */
export type MindParts = {
  readonly seed: number;
  /** What policies know how to write; read when the first of them is made. */
  readonly knowHow: () => KnowHow;
  readonly policyPrice: ThoughtPrice;
  readonly policyThinkMs: readonly [number, number];
  readonly scriptThinkMs: number;
  /** What minds on language models share. */
  readonly llm: ModelParts | null;
};

type ModelParts = { readonly defaults: LlmDefaults; readonly parts: WorkflowParts };

/** The mind that a configuration asks for. The configuration has been validated. */
export const mindFor = (id: string, config: AgentConfig, parts: MindParts): Mind => {
  if (config.mind === "script") {
    const { script = [], script_loop = false } = config;
    return scriptMind({ entries: script, loop: script_loop, thinkMs: parts.scriptThinkMs });
  }
  if (isModelMind(config.mind)) {
    return modelMind(config, must(parts.llm, "a run that has models asks them"));
  }
  const { seed, knowHow, policyPrice: price, policyThinkMs: thinkMs } = parts;
  const name = policyOf(config.mind);
  const settings = { name, id, seed, knowHow: knowHow(), price, thinkMs };
  const given = config.policy ?? {};
  switch (name) {
    case "producer":
      return policyMind(producer(POLICY_SETTINGS.producer.parse(given)), settings);
    case "integrator":
      return policyMind(integrator(POLICY_SETTINGS.integrator.parse(given)), settings);
    case "explorer":
      return policyMind(explorer(POLICY_SETTINGS.explorer.parse(given)), settings);
    case "trader":
      return policyMind(trader(POLICY_SETTINGS.trader.parse(given)), settings);
    case "lender":
      return policyMind(lender(POLICY_SETTINGS.lender.parse(given)), settings);
    case "worker":
      return policyMind(worker(POLICY_SETTINGS.worker.parse(given)), settings);
    case "zero_intelligence":
      return policyMind(zeroIntelligence(), settings);
  }
};

/** Without a workflow an agent proposes an action, whatever its mind is called. */
const modelMind = (config: AgentConfig, { defaults, parts }: ModelParts): Mind => {
  const settings = settingsOf(config, defaults);
  const { workflow } = config;
  return workflow === undefined
    ? llmMind(settings, parts)
    : workflowMind({ settings, workflow }, parts);
};
