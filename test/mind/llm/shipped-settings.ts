import type { MindSettings } from "../../../src/mind/index.ts";
import { llmDefaultsOf } from "../../../src/run/agents/model-users.ts";
import { loadConfig } from "../../../src/run/config/index.ts";
import { settingsOf } from "../../../src/run/minds/agent-config.ts";

export const settingsWith = (own: object = {}): MindSettings => {
  const loaded = loadConfig({ file: null, sets: [], flags: [] });
  if (!loaded.ok) throw new Error("the shipped configuration is valid");
  return settingsOf(
    { id: "ann", values: {} },
    { mind: "llm", ...own },
    llmDefaultsOf(loaded.config),
  );
};
