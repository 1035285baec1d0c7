export { type Config, configSchema } from "./config-schema.ts";
export { dotted, findingsOf, valueAt } from "./finding.ts";
export { leavesOf, textAt } from "./layer.ts";
export {
  type ConfigLoad,
  type ConfigSources,
  type KeptConfig,
  type LoadedConfig,
  loadConfig,
  renderConfig,
  type ShippedSetting,
  shippedSettings,
} from "./load-config.ts";
export { microsOf, msOf, physicsFor, tasksFor, type WorldTask } from "./physics.ts";
export { type Place, type Problem, problemOf, showProblem } from "./problem.ts";
export { SHIPPED, SHIPPED_CONFIG, SHIPPED_POPULATIONS } from "./shipped.ts";
export {
  type Checked,
  checkYaml,
  type Parsed,
  parseYaml,
  readText,
  type TextRead,
  type YamlFile,
} from "./yaml-file.ts";
