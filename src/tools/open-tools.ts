import { errorMessage } from "../kernel/index.ts";
import {
  type MindSettings,
  mindSettingsOf,
  modelTemplate,
  type OpenKind,
  type Own,
  PROMPT_FILES,
  type PreviewParts,
  remark,
  type ShippedSettings,
} from "../mind/index.ts";
import type { MindListener } from "./feed.ts";
import { type ToolsConfig, type ToolsParts, toolKeys } from "./keys.ts";
import { modulePlugin } from "./plugin/module-plugin.ts";
import { AgentPython } from "./python/agent-python.ts";
import { draftsIn, scriptsIn } from "./sandbox-code.ts";
import { AgentShell } from "./shell/agent-shell.ts";
import type { ToolAgent } from "./step-source.ts";
import { toolSettings } from "./tool/tool-settings.ts";
import { toolsMind } from "./tools-mind.ts";

/** What the agents with tools of a run share: a shell, Python, and the sandbox of the run. */
export const openTools = (parts: ToolsParts): OpenKind<ToolsConfig> => {
  const { sandbox, physics, llm, env, warn, isPythonAllowed: isAllowed } = parts;
  const shell = new AgentShell();
  const limits = { jsonDepthMax: physics.artifacts.json_depth_max };
  const python = new AgentPython({ isAllowed, env, warn, limits });
  const given = {
    ...llm,
    tryProgram: draftsIn(sandbox, physics),
    runCode: scriptsIn(sandbox, physics),
    runScript: shell.forThought,
    runPython: python.forThought,
    onEvent: parts.onMindEvent && safeListener(parts.onMindEvent, parts.note),
  };
  return {
    create: (own, config) => {
      const settings = mindSettingsOf(own, config, llm.defaults);
      return toolsMind(toolAgent(own, settings, config, parts), given);
    },
    close: async () => {
      await Promise.all([shell.close(), python.close()]);
    },
  };
};

/** A listener of the caller may throw. The run then continues, and a note says so once. */
const safeListener = (listen: MindListener, note: ToolsParts["note"]): MindListener => {
  let isNoted = false;
  return (event) => {
    try {
      listen(event);
    } catch (error) {
      if (!isNoted) note(`the listener of the agents has failed: ${errorMessage(error)}`);
      isNoted = true;
    }
  };
};

export const toolAgent = (
  { id: agent }: Own,
  settings: MindSettings,
  { mind, tools: own = {}, plugins = [] }: ToolsConfig,
  { seed, moduleNamed }: Pick<PreviewParts, "seed" | "moduleNamed">,
): ToolAgent => {
  const tools = toolSettings.parse(own);
  const protocol = mind === "code" ? (tools.language ?? "javascript") : (tools.protocol ?? "calls");
  const tokensMax = Math.floor(tools.plugins_tokens / Math.max(1, plugins.length));
  return {
    settings,
    tools,
    protocol,
    plugins: plugins.map(({ module: name, settings: given = {} }) => {
      const module = moduleNamed(name, "plugin");
      return modulePlugin({ module, settings: given, agent, seed, tokensMax });
    }),
  };
};

/** A new persona with `mind: tools` or `mind: code`. */
export const toolsTemplate = (mind: string, shipped: ShippedSettings) => {
  // What applies without a setting that only one of the minds has.
  const unset = mind === "code" ? { language: "javascript" } : { protocol: "calls" };
  const values = new Map<string, unknown>(Object.entries({ ...toolSettings.parse({}), ...unset }));
  const lines = Object.entries(toolSettings.shape).flatMap(([name, { description }]) => {
    const value = values.get(name);
    return value === undefined ? [] : [`#  ${name}: ${value}${remark(description)}\n`];
  });
  const text = `
# The folder workspace/ has the files that the agent starts with (docs/tools.md).
#plugins: [] # such as [./plugin.ts]; ${toolKeys.plugins.description}
#tools: # ${toolKeys.tools.description}
${lines.join("")}${modelTemplate(shipped, { hasForm: false })}`;
  return { text, files: PROMPT_FILES };
};
