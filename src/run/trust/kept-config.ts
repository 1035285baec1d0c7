import { basename } from "node:path";
import type { Environment } from "../../model/index.ts";
import { type ConfigSources, loadConfig, settingEffects } from "../config/index.ts";
import { savedConfig } from "../files/open-run.ts";
import { trustedEffects } from "./signature.ts";

/**
 * The saved configuration of a run, for commands that only look at it. Of a run of somebody else, it
 * lacks the settings that reach outside of the folder of the run.
 */
export const keptConfig = (
  folder: string,
  env: Environment,
): NonNullable<ConfigSources["kept"]> => {
  const kept = { origin: `the configuration of ${basename(folder)}`, text: savedConfig(folder) };
  const read = loadConfig({ kept, file: null, sets: [], flags: [] });
  const trusted = trustedEffects(folder, env);
  const isOwn = read.ok && settingEffects(read.config).every((effect) => trusted.has(effect));
  return { ...kept, isForeign: !isOwn };
};
