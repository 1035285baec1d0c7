export type { Newcomer } from "./create-agent-artifacts.ts";
export { agentProblem } from "./minds-of-world.ts";
export { type RunFile, readRunFile, writeRunFile } from "./run-file-codec.ts";
export { type RunPlan, type RunResult, SimulationRunner } from "./simulation-runner.ts";
export { STOP_REASONS, type StopReason } from "./stop-rule.ts";
