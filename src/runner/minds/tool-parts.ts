import type { Physics } from "../../kernel/index.ts";
import { pricingFrom, type ToolParts } from "../../mind/index.ts";
import { actionsGuide } from "../../world/index.ts";
import type { CodeParts } from "../agents/agent-code.ts";
import type { SettledConfig } from "../run/clock-choice.ts";

type Given = Pick<ToolParts, "model" | "memory" | "durable" | "onEvent"> & {
  readonly physics: Physics;
  readonly code: CodeParts;
};

/** What minds with language models share, in the process of the run or in a worker. */
export const toolPartsOf = (
  config: SettledConfig,
  { physics, code, ...given }: Given,
): ToolParts => {
  const { llm, agent, run, virtual } = config;
  return {
    ...given,
    ...code,
    pricing: pricingFrom(llm.pricing, llm.default_pricing),
    actionsGuide: actionsGuide(),
    sleepMaxS: agent.loop.sleep_max_s,
    jsonDepthMax: physics.artifacts.json_depth_max,
    // With a wall clock, thoughts take real time, so their duration is not simulated.
    thinkMs: run.clock === "wall" ? [0, 0] : virtual.think_ms.llm,
  };
};
