export {
  type Config,
  type ConfigLoad,
  checkYaml,
  didYouMean,
  type LoadedConfig,
  loadConfig,
  nearestFirst,
  nearestOf,
  type Problem,
  parseYaml,
  physicsFor,
  problemOf,
  readText,
  renderConfig,
  SHIPPED_CONFIG,
  showProblem,
} from "./config/index.ts";
export { Launch, type Launched, type LaunchOrder } from "./launch.ts";
export { agentProblem } from "./minds-of-world.ts";
export {
  loadPersonas,
  type Persona,
  personaTemplate,
  surveyPersonas,
  TEMPLATE_MINDS,
} from "./persona/index.ts";
export { newRunId } from "./run-directory.ts";
export { type RunPlan, type RunResult, SimulationRunner } from "./simulation-runner.ts";
export { STOP_REASONS, type StopReason } from "./stop-rule.ts";
export { type TradeKind, tradeIn } from "./trade.ts";
