export { agentProblem } from "./agent-problem.ts";
export {
  type Config,
  type ConfigLoad,
  checkYaml,
  type LoadedConfig,
  lateSettings,
  loadConfig,
  type Problem,
  parseYaml,
  physicsFor,
  problemOf,
  readText,
  renderConfig,
  SHIPPED_CONFIG,
  showProblem,
} from "./config/index.ts";
export { estimateRun, type RunEstimate } from "./estimate.ts";
export { type FirstLook, firstLooks } from "./first-look.ts";
export {
  type ChangedSetting,
  changedSettings,
  type KeptSettings,
  keptSettings,
} from "./kept-settings.ts";
export { embedderOfReplay } from "./language-models.ts";
export { Launch, type Launched, type LaunchOrder } from "./launch.ts";
export {
  isPausedByOperator,
  type Operator,
  type OperatorOrder,
  type OrderOutcome,
  type Pace,
} from "./operator.ts";
export {
  clashWith,
  idProblem,
  loadPersonas,
  type Persona,
  personaFiles,
  surveyPersonas,
  TEMPLATE_MINDS,
} from "./persona/index.ts";
export { newRunId } from "./run-directory.ts";
export { runFileSchema } from "./run-file.ts";
export { runPaths } from "./run-paths.ts";
export type { RunPlan } from "./run-plan.ts";
export { type RunResult, SimulationRunner } from "./simulation-runner.ts";
export { isIdle, STOP_REASONS, type StopReason } from "./stop-rule.ts";
export { type TradeKind, tradeIn } from "./trade.ts";
