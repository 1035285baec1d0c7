import { z } from "zod";
import type { Json } from "../kernel/index.ts";
import {
  type ConfigOf,
  isModuleName,
  isModulePath,
  type MindParts,
  modelKeys,
} from "../mind/index.ts";
import type { MindListener } from "./feed.ts";
import { toolSettings } from "./tool/tool-settings.ts";

/** YAML and JSON have no other values. */
const pluginSettings = z.record(z.string(), z.custom<Json>());

const pluginPath = z
  .string()
  .refine(isModulePath, { error: "must be the path of a module such as ./plugin.ts" })
  .describe("the path of a module such as ./plugin.ts, relative to the persona");

/** Paths of modules of the user, each with or without settings. */
const plugins = z
  .array(
    z.union(
      [pluginPath, z.strictObject({ module: pluginPath, settings: pluginSettings.optional() })],
      { error: "must be the path of a module such as ./plugin.ts, or { module, settings }" },
    ),
  )
  .max(20)
  .optional()
  .describe("with mind: tools or code, modules that add texts and tools (docs/tools.md)");

/** The plugins of an agent by the names of the run's copies of their modules. */
const storedPlugins = z
  .array(
    z.strictObject({
      module: z.string().refine(isModuleName),
      settings: pluginSettings.optional(),
    }),
  )
  .optional();

export const toolKeys = {
  ...modelKeys,
  tools: toolSettings
    .partial()
    .optional()
    .describe("settings of mind: tools and mind: code (docs/tools.md)"),
  plugins,
};

/** The value of `plugins` in `agent.yaml`. */
export type Plugins = NonNullable<z.infer<typeof plugins>>;

/** Plugins as the artifact of an agent has them. */
export const storedToolKeys = { plugins: storedPlugins };

/** The configuration of an agent with tools, as its artifact has it. */
export type ToolsConfig = ConfigOf<Omit<typeof toolKeys, "plugins"> & typeof storedToolKeys>;

/** What a run gives to this kind in addition. */
export type ToolsParts = MindParts & {
  /** Follows the steps of all agents. Null: nothing is streamed. */
  readonly onMindEvent: MindListener | null;
  /** Notes for the people who run the simulation. */
  readonly note: (text: string) => void;
};
