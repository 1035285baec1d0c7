export { type Config, configSchema, standingTerms } from "./config-schema.ts";
export { leavesOf, textAt } from "./layer.ts";
export {
  besideFile,
  type ConfigSources,
  type FlagValue,
  type LoadedConfig,
  loadConfig,
  type OpenConfig,
  programsFolder,
  renderConfig,
  type ScheduledSets,
  type ShippedSetting,
  shippedSettings,
} from "./load-config.ts";
export { microsOf, msOf, physicsFor, tasksFor, type WorldTask } from "./physics.ts";
export { isPlain } from "./plain-json.ts";
export {
  type Place,
  type Problem,
  problemOf,
  type Reading,
  RunFailure,
  refused,
  showProblem,
} from "./problem.ts";
export { reviewDefault, reviewRule } from "./review-schema.ts";
export { isInterface, type ScheduleConfig } from "./schedule-schema.ts";
export { flatSettings, withSettings } from "./scheduled-settings.ts";
export { settingEffects } from "./setting-effects.ts";
export { SHIPPED, SHIPPED_CONFIG, SHIPPED_POPULATIONS } from "./shipped.ts";
export { readPlainText, readText, readTextIn } from "./text-file.ts";
export { checkYaml, parseYaml, readPlainYaml, readYaml, type YamlFile } from "./yaml-file.ts";
