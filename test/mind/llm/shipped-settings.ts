import { type MindSettings, mindSettingsOf } from "../../../src/mind/index.ts";
import { llmDefaultsOf } from "../../../src/run/agents/model-users.ts";
import { loadConfig } from "../../../src/run/config/index.ts";

export const settingsWith = (own: object = {}): MindSettings => {
  const loaded = loadConfig({ file: null, sets: [], flags: [] });
  if (!loaded.ok) throw new Error("the shipped configuration is valid");
  return mindSettingsOf({ id: "ann", values: {} }, own, llmDefaultsOf(loaded.config));
};
