import { mindKind, mindSettingsOf, type Remark } from "../mind/index.ts";
import { type Plugins, storedToolKeys, type ToolsParts, toolKeys } from "./keys.ts";
import { BUILT_IN_NAMES } from "./plugin/names.ts";

const common = {
  keys: toolKeys,
  storedKeys: storedToolKeys,
  cost: "models",
  hasWorkspace: true,
  // The code of plugins runs outside the sandbox.
  onlyPersonas: ({ plugins: own }) =>
    own === undefined
      ? null
      : "only the personas of a run can have plugins, whose code runs outside the sandbox; " +
        "leave out `plugins`",
  modules: {
    role: "plugin",
    takenNames: BUILT_IN_NAMES,
    inPersona: ({ plugins: own }) =>
      ((own ?? []) as Plugins).map((plugin, at) =>
        typeof plugin === "string"
          ? { path: plugin, key: ["plugins", at] }
          : { path: plugin.module, key: ["plugins", at, "module"] },
      ),
    stored: ({ plugins: own, ...config }, names) => {
      if (own === undefined) return config;
      const stored = (own as Plugins).map((plugin, at) => {
        const settings = typeof plugin === "string" ? undefined : plugin.settings;
        return { module: names[at], ...(settings === undefined ? {} : { settings }) };
      });
      return { ...config, plugins: stored };
    },
    inAgent: ({ plugins: own = [] }) => own.map(({ module }) => module),
  },
  load: async () => {
    const { openTools, toolAgent, toolsTemplate } = await import("./open-tools.ts");
    const { toolsPreview } = await import("./tools-mind.ts");
    return {
      open: openTools,
      preview: ({ own, config }, { llm, ...parts }, moment) => {
        const settings = mindSettingsOf(own, config, llm.defaults);
        const agent = toolAgent(own, settings, config, parts);
        return toolsPreview(agent, { ...llm, ...parts }, moment);
      },
      template: toolsTemplate,
    };
  },
} satisfies Omit<
  Parameters<typeof mindKind<typeof toolKeys, typeof storedToolKeys, ToolsParts>>[0],
  "names" | "label"
>;

const wrong = (message: string, hint: string): readonly Remark[] => [
  { path: ["tools"], message, hint },
];

// What a run needs of workspaces and of Python before an agent thinks. It must stay light.
export { missingPython } from "./python/find-python.ts";
export { withFile } from "./workspace/edit.ts";
export { contentWith, type Files, filesIn, filesPatch, readPath } from "./workspace/files.ts";
export { shownFilesText, skillsIn } from "./workspace/shown-files.ts";

/** `mind: tools`: a language model that works in turns, and calls tools. */
export const toolsKind = mindKind({
  ...common,
  names: ["tools"],
  label: "tools",
  impliedBy: ["tools", "plugins"],
  check: ({ tools }) =>
    tools?.language === undefined
      ? []
      : wrong("only mind: code has tools.language", "write `mind: code`"),
});

/** `mind: code`: like `tools`, but the model calls its tools from scripts that it writes. */
export const codeKind = mindKind({
  ...common,
  names: ["code"],
  label: "code",
  check: ({ tools }) =>
    tools?.protocol === undefined
      ? []
      : wrong("mind: code has no tools.protocol", "delete `protocol`, or write `mind: tools`"),
  pythonSetting: ({ tools }) => (tools?.language === "python" ? ["tools", "language"] : null),
});
