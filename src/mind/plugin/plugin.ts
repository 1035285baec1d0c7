import { z } from "zod";
import { isObject, type Json } from "../../kernel/index.ts";
import { type ChatForm, chatForm, type ToolOffer } from "../model/index.ts";
import type { PromptSource } from "../prompt/prompt.ts";
import { answered, type Tool, tool } from "../tools/tool.ts";
import { estimateTokens } from "../units.ts";
import type { PluginReply } from "../user/user-plugin.ts";
import { type AddedText, addedAt, type PluginText } from "./retention.ts";

/** The step for which a plugin is asked. */
export type PluginMoment = {
  readonly source: PromptSource;
  readonly isTurnStart: boolean;
  /** Whether an action of the agent has ended since its last step. */
  readonly hasActed: boolean;
  /** What each plugin remembers, by its name. A plugin changes only its own entry. */
  readonly memories: Map<string, Json>;
  readonly warn: (text: string) => void;
};

/** A value that the model names with its reply. */
export type Attribute = {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly example?: string | undefined;
};
export const ATTRIBUTE_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** What a plugin adds to a step. */
export type Contribution = {
  /** A part of the system text. Providers cache equal beginnings, so it should rarely change. */
  readonly system?: string;
  /** Texts at the end of the last message. */
  readonly texts?: readonly PluginText[];
  readonly tools?: readonly Tool[];
  readonly attributes?: readonly Attribute[];
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
  readonly tools: ReadonlyMap<string, Tool>;
  readonly form: ChatForm;
  readonly offerTokens: number;
  readonly attributes: readonly Attribute[];
  /** Tells the plugins what the model replied. */
  readonly read: (reply: PluginReply) => void;
  /** Tells the plugins that the conversation starts again. */
  readonly reset: () => void;
  readonly memories: ReadonlyMap<string, Json>;
};

/** Asks all plugins in order. Of two tools with one name, the step has the first. */
export const stepPlugins = (plugins: readonly Plugin[], moment: PluginMoment): StepPlugins => {
  const asked = plugins.map((plugin) => ({ plugin, added: plugin.contribute(moment) }));
  const attributes = asked.flatMap(({ added }) => added.attributes ?? []);
  const offered = asked.flatMap(({ added }) => added.tools ?? []);
  const all = attributes.length === 0 ? offered : [...offered, attributesTool(attributes)];
  const tools = new Map<string, Tool>();
  for (const each of all) {
    if (!tools.has(each.offer.name)) tools.set(each.offer.name, each);
  }
  const system = asked.flatMap(({ added }) => (added.system ? [added.system] : []));
  return {
    system: system.join("\n\n"),
    textsAt: (call) =>
      asked.flatMap(({ plugin, added }) =>
        (added.texts ?? []).flatMap((text) => addedAt(call, plugin.name, text) ?? []),
      ),
    tools,
    ...formOf([...tools.values()].map(({ offer }) => offer)),
    attributes,
    read: (reply) => {
      for (const { added } of asked) added.read?.(reply);
    },
    reset: () => {
      for (const plugin of plugins) plugin.reset?.(moment);
    },
    memories: moment.memories,
  };
};

const SET_ATTRIBUTES = "set_attributes";

/** The tool with which a model gives attributes with its other calls. */
const attributesTool = (attributes: readonly Attribute[]): Tool => {
  const fields = attributes.map(({ name, description, required, example }) => {
    const about = example === undefined ? description : `${description}; example: ${example}`;
    const text = z.string().describe(about);
    return [name, required ? text : text.optional()] as const;
  });
  return tool({
    name: SET_ATTRIBUTES,
    description: "Says more about this step, next to your other calls.",
    input: z.strictObject(Object.fromEntries(fields)),
    run: () => answered("noted"),
  });
};

type Call = PluginReply["calls"][number];

/** The attributes that a model gave by the tool. */
export const attributesIn = (calls: readonly Call[]): PluginReply["attributes"] => {
  const given = calls.flatMap(({ name, args }) =>
    name === SET_ATTRIBUTES && isObject(args) ? Object.entries(args) : [],
  );
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
};

type Form = Pick<StepPlugins, "form" | "offerTokens">;

/** The last form, because nearly all steps of all agents offer the same tools. */
let known: { readonly offers: readonly ToolOffer[]; readonly form: Form } | null = null;

const formOf = (offers: readonly ToolOffer[]): Form => {
  const isKnown =
    known?.offers.length === offers.length &&
    known.offers.every((offer, at) => offer === offers[at]);
  if (known !== null && isKnown) return known.form;
  const form = chatForm("tools", offers);
  known = { offers, form: { form, offerTokens: estimateTokens(form.described) } };
  return known.form;
};
