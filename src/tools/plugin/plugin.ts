import type { Json, View } from "../../kernel/index.ts";
import type { ModuleFault, PluginReply, PromptSource } from "../../mind/index.ts";
import type { ResponseAttribute } from "../../model/index.ts";
import { type AddedText, addedAt, type PluginText } from "../conversation/added-texts.ts";
import type { Tool, ToolOutcome } from "../tool/tool.ts";

/** The step for which a plugin is asked. */
export type PluginMoment = {
  readonly source: PromptSource;
  readonly view: View;
  readonly isTurnStart: boolean;
  /** Whether an action of the agent has ended since its last step. */
  readonly hasActed: boolean;
  /** What each plugin remembers, by its name. A plugin changes only its own entry. */
  readonly memories: Map<string, Json>;
  /** Warns the run. `at`: the place in a module of the user, if it is known. */
  readonly warn: (text: string, at?: ModuleFault) => void;
};

/** What a plugin adds to a step. */
type Contribution = {
  /** A part of the system text. Providers cache equal beginnings, so it should rarely change. */
  readonly system?: string;
  /** Texts at the end of the last message. */
  readonly texts?: readonly PluginText[];
  /** Tools that answer at once. */
  readonly tools?: readonly Tool<ToolOutcome>[];
  /** Slow tools. Scripts cannot call them. */
  readonly slowTools?: readonly Tool[];
  readonly attributes?: readonly ResponseAttribute[];
  /** Called after the reply of the model. */
  readonly read?: (reply: PluginReply) => void;
};

/** A part of a mind with tools: what the model knows, and what it can call. */
export type Plugin = {
  readonly name: string;
  readonly contribute: (moment: PluginMoment) => Contribution;
  /** Called when the conversation starts again without its past. */
  readonly reset?: (moment: PluginMoment) => void;
};

/** What the plugins of an agent add to one step. */
export type StepPlugins = {
  readonly system: string;
  /** The texts with which the call `call` is made. */
  readonly textsAt: (call: number) => readonly AddedText[];
  readonly tools: readonly Tool<ToolOutcome>[];
  readonly slowTools: readonly Tool[];
  readonly attributes: readonly ResponseAttribute[];
  /** Tells the plugins what the model replied. */
  readonly read: (reply: PluginReply) => void;
  /** Tells the plugins that the conversation starts again. */
  readonly reset: () => void;
  readonly memories: ReadonlyMap<string, Json>;
};

/** Asks all plugins in order. */
export const stepPlugins = (plugins: readonly Plugin[], moment: PluginMoment): StepPlugins => {
  const asked = plugins.map((plugin) => ({ plugin, added: plugin.contribute(moment) }));
  const system = asked.flatMap(({ added }) => (added.system ? [added.system] : []));
  return {
    system: system.join("\n\n"),
    textsAt: (call) =>
      asked.flatMap(({ plugin, added }) =>
        (added.texts ?? []).flatMap((text) => addedAt(call, plugin.name, text) ?? []),
      ),
    tools: asked.flatMap(({ added }) => added.tools ?? []),
    slowTools: asked.flatMap(({ added }) => added.slowTools ?? []),
    attributes: asked.flatMap(({ added }) => added.attributes ?? []),
    read: (reply) => {
      for (const { added } of asked) added.read?.(reply);
    },
    reset: () => {
      for (const plugin of plugins) plugin.reset?.(moment);
    },
    memories: moment.memories,
  };
};
