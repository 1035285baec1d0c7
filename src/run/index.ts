export { withDefaultMaxPrice } from "./agents/agent-loop.ts";
export { agentProblem } from "./agents/agent-minds.ts";
export { estimateRun, hasPaidModel, type RunEstimate } from "./agents/cost-estimate.ts";
export { type FirstPrompt, firstPrompts, modulesOfPersona } from "./agents/first-prompts.ts";
export { libraryProblems } from "./agents/library-trials.ts";
export { moduleTrials } from "./agents/module-trials.ts";
export { pastPrompt } from "./agents/past-prompt.ts";
export {
  besideFile,
  type Config,
  checkYaml,
  type FlagValue,
  type LoadedConfig,
  loadConfig,
  type OpenConfig,
  type Problem,
  physicsFor,
  problemOf,
  programsFolder,
  RunFailure,
  readPlainText,
  readText,
  readTextIn,
  readYaml,
  refused,
  type ScheduledSets,
  SHIPPED,
  SHIPPED_CONFIG,
  SHIPPED_POPULATIONS,
  showProblem,
} from "./config/index.ts";
export { connectToRun } from "./control/connect.ts";
export type { ControlClient } from "./control/control-client.ts";
export {
  COMMAND_FORMS,
  type OperatorCommand,
  operatorCommand,
} from "./control/operator-command.ts";
export {
  type ControlAnswer,
  type ControlCall,
  type ControlFailure,
  type ControlMethods,
  controlFailure,
  controlMethod,
  OPERATOR_METHODS,
  type ParamsOf,
  type ResultOf,
  RUN_OVER,
  refusal,
} from "./control/protocol.ts";
export { untilFailed } from "./core/journal-failure.ts";
export type { FeatureRun, OpenFeature, RunFeature } from "./core/run-feature.ts";
export type { NewRun, PreparedRun, ResumedRun, RunHost } from "./core/run-plan.ts";
export {
  DEBT_CONTRACT,
  FLOW_KINDS,
  type FlowKind,
  flowKindOf,
  INCOME_SOURCES,
  type IncomeSource,
  isBroker,
  isIncome,
  paymentIn,
  type TradeKind,
  tradeIn,
} from "./core/trade.ts";
export {
  isPausedByOperator,
  Operator,
  type OperatorOutcome,
  type Pace,
} from "./course/operator.ts";
export { type RunResult, SimulationRunner } from "./course/simulation-runner.ts";
export { isIdle, STOP_REASONS, type StopReason } from "./course/stop-rule.ts";
export {
  findRun,
  isFile,
  isRunFile,
  isRunFolder,
  RUNS_FOLDER,
  type RunRead,
  type RunRecord,
  type RunStatus,
  readRun,
  runFolders,
} from "./files/find-run.ts";
export {
  checkpointOfRun,
  checkpointsIn,
  journalIn,
  type OpenRun,
  openRun,
  seqAt,
} from "./files/open-run.ts";
export { isOfRun, newRunId, RUN_ID, replaceFile, runPaths } from "./files/run-files.ts";
export { type ChangedSetting, changedSettings, runSettings } from "./files/run-settings.ts";
export {
  type MemoryCounts,
  openStoredMemories,
  recordedIn,
  type StoredMemories,
} from "./memory/stored-memories.ts";
export { readAgent } from "./minds/agent-config.ts";
export { agentContents } from "./minds/agent-contents.ts";
export { labelsOf, MIND_NAMES } from "./minds/kinds.ts";
export { clashWith } from "./persona/clashes.ts";
export { NEEDS_REAL_TIME, pythonProblems } from "./persona/host-programs.ts";
export { loadPersonas, surveyPersonas } from "./persona/load-personas.ts";
export { idProblem, type Persona } from "./persona/persona.ts";
export { personaFiles, TEMPLATE_MINDS } from "./persona/template.ts";
export { readTurnFolder, readWorkspaceFolder } from "./persona/workspace-folder.ts";
export { Launch, type Launched, launchRun } from "./request/launch.ts";
export { launchRequest, prepareRun, type ReadRequest } from "./request/prepare-run.ts";
export { AGENTS, agentsFolders, configFrom, personaSource } from "./request/read-files.ts";
export { type RunRequest, runRequest } from "./request/run-request.ts";
export { NO_CHANGES, type ScheduleRequest } from "./schedule/plan.ts";
export { readSchedule } from "./schedule/read-schedule.ts";
export { keptConfig } from "./trust/kept-config.ts";
