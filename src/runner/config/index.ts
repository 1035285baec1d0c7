export { type Config, configSchema } from "./config-schema.ts";
export { dotted, findingsOf } from "./finding.ts";
export { lateSettings } from "./late-settings.ts";
export { leavesOf } from "./layer.ts";
export {
  type ConfigLoad,
  type ConfigSources,
  type KeptConfig,
  type LoadedConfig,
  loadConfig,
  SHIPPED_CONFIG,
} from "./load-config.ts";
export { microsOf, msOf, physicsFor } from "./physics-of.ts";
export { type Place, type Problem, problemOf, showProblem } from "./problem.ts";
export { renderConfig } from "./render-config.ts";
export { type ShippedSetting, shippedSettings } from "./shipped-settings.ts";
export { readText, type TextRead } from "./text-file.ts";
export { textAt } from "./value-text.ts";
export { tasksFor, type WorldTask } from "./world-tasks.ts";
export { type Checked, checkYaml, type Parsed, parseYaml, type YamlFile } from "./yaml-file.ts";
