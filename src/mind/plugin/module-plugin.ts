import { z } from "zod";
import { cutText, type Json, type JsonObject } from "../../kernel/index.ts";
import { asJson } from "../mind-memory-codec.ts";
import type { ToolOffer } from "../model/index.ts";
import { failed, type Tool, type ToolMoment, type ToolOutcome, wrongArgs } from "../tools/tool.ts";
import { unitsOfTokens } from "../units.ts";
import { pluginName } from "../user/module-path.ts";
import type { PluginReply } from "../user/user-plugin.ts";
import { withFile, withoutFile } from "../workspace/edit.ts";
import { type Files, readPath, sizeProblem } from "../workspace/files.ts";
import type { Plugin } from "./plugin.ts";
import { type CallMoment, type OwnPlugin, PluginCalls } from "./plugin-calls.ts";
import { retention } from "./retention.ts";

const TOOLS_MAX = 50;
const TEXTS_MAX = 50;
/** What a tag of a reply can have as its name. */
const ATTRIBUTE_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const TOOL_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const json = z.json().transform(asJson);

const offerSchema = z
  .strictObject({
    name: z.string().regex(TOOL_NAME, "must be a name of letters, digits, _ and -"),
    description: z.string().min(1),
    input: z.record(z.string(), json).default({ type: "object", properties: {} }),
  })
  .superRefine((offer, context) => {
    const problem = schemaProblem(offer.input);
    if (problem !== null) context.addIssue({ code: "custom", path: ["input"], message: problem });
  });

/** Returns why this is not the JSON Schema of an object, or null. */
const schemaProblem = (input: JsonObject): string | null => {
  if (input.type !== "object") return 'must be a JSON Schema with type: "object"';
  try {
    z.fromJSONSchema(input);
    return null;
  } catch (error) {
    return `must be a JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
};

const contributionSchema = z.strictObject({
  system: z.string().optional(),
  texts: z
    .array(
      z.strictObject({
        text: z.string(),
        keep: retention.default(false),
        show: z.boolean().default(true),
      }),
    )
    .max(TEXTS_MAX)
    .default([]),
  tools: z.array(offerSchema).max(TOOLS_MAX).default([]),
  attributes: z
    .array(
      z.strictObject({
        name: z.string().regex(ATTRIBUTE_NAME),
        description: z.string(),
        required: z.boolean().default(false),
        example: z.string().default("..."),
      }),
    )
    .default([]),
  /** Whether the plugin has a function `read`. */
  reads: z.boolean().default(false),
  commands: z
    .array(z.strictObject({ name: z.string().regex(TOOL_NAME), description: z.string() }))
    .default([]),
});

const ANY_MEMORY = json.optional();

const ranSchema = z.preprocess(
  (given) => (typeof given === "string" ? { text: given } : given),
  z.strictObject({
    text: z.string(),
    failed: z.boolean().optional(),
    memory: json.optional(),
    files: z.record(z.string(), z.string().nullable()).optional(),
  }),
);

/**
 * A plugin that a user wrote. Its functions run in the thread of modules, and depend only on their
 * argument. A function that fails adds nothing to the step, and the run is warned.
 */
export const modulePlugin = (own: OwnPlugin): Plugin => {
  const name = pluginName(own.module.name);
  return {
    name,
    contribute: (moment) => {
      const calls = new PluginCalls(own, moment);
      const { isTurnStart: turnStart } = moment;
      const asked = calls.ask(contributionSchema, (input) => {
        return { function: "contribute", input: { ...input, turnStart } };
      });
      if (!asked.ok) return {};
      const { system = "", texts, tools, attributes, reads } = asked.value;
      const charsMax = unitsOfTokens(own.tokensMax);
      const shown = system === "" ? "" : headed(name, cutText(system, charsMax));
      let left = charsMax - shown.length;
      const cut = texts.map((each) => {
        const text = headed(name, cutText(each.text, Math.max(0, left)));
        left -= text.length;
        return { ...each, text };
      });
      const added = {
        system: shown,
        texts: cut.filter(({ text }) => text !== headed(name, "")),
        tools: toolsOf(tools, calls),
        attributes,
      };
      return reads ? { ...added, read: (reply) => readBy(calls, reply) } : added;
    },
    reset: (moment) => {
      const calls = new PluginCalls(own, moment);
      const asked = calls.ask(ANY_MEMORY, (input) => ({ function: "reset", input }));
      calls.remember(asked.ok ? (asked.value ?? null) : null);
    },
  };
};

export type PluginCommand = { readonly name: string; readonly description: string };

/** The commands for people that a plugin has. */
export const commandsOf = (own: OwnPlugin, moment: CallMoment): readonly PluginCommand[] => {
  const asked = new PluginCalls(own, moment).ask(contributionSchema, (input) => {
    return { function: "contribute", input: { ...input, turnStart: true } };
  });
  return asked.ok ? asked.value.commands : [];
};

const commandSchema = z.union([
  z.string().transform((say) => ({ say })),
  z.strictObject({ show: z.string() }),
]);

type CommandResult = { readonly say: string } | { readonly show: string };

/** Runs a command. Returns what to say to the agent or to show to the person. Null: it failed. */
export const runCommand = (
  own: OwnPlugin,
  command: { readonly command: string; readonly args: string },
  moment: CallMoment,
): CommandResult | null => {
  const asked = new PluginCalls(own, moment).ask(commandSchema, (input) => {
    return { function: "command", ...command, input };
  });
  return asked.ok ? asked.value : null;
};

const headed = (name: string, text: string): string => `## ${name}\n${text}`;

const readBy = (calls: PluginCalls, reply: PluginReply): void => {
  const asked = calls.ask(ANY_MEMORY, (input) => {
    return { function: "read", input: { ...input, reply } };
  });
  if (asked.ok && asked.value !== undefined) calls.remember(asked.value);
};

type Offered = z.infer<typeof offerSchema>;

type Checked = { readonly offer: ToolOffer; readonly args: z.ZodType };

/** The offers by their JSON text, because most steps offer the same tools. */
const offers = new Map<string, Checked>();

const offerOf = (given: Offered): Checked => {
  const key = JSON.stringify(given);
  const known = offers.get(key);
  if (known !== undefined) return known;
  const made = { offer: given, args: z.fromJSONSchema(given.input) };
  offers.set(key, made);
  return made;
};

const toolsOf = (offered: readonly Offered[], calls: PluginCalls): readonly Tool<ToolOutcome>[] =>
  offered.map((given) => {
    const { offer, args } = offerOf(given);
    return {
      offer,
      call: (asked, moment) => {
        const read = args.safeParse(asked);
        if (!read.success) return failed(wrongArgs(offer, read.error));
        return resultOf(calls, { tool: offer.name, args: asked }, moment);
      },
    };
  });

type ToolCall = { readonly tool: string; readonly args: Json };

const resultOf = (
  calls: PluginCalls,
  call: ToolCall,
  { files, bytesMax }: ToolMoment,
): ToolOutcome => {
  const ran = calls.ask(ranSchema, (input) => {
    return { function: "run", ...call, input: { ...input, files: Object.fromEntries(files) } };
  });
  if (!ran.ok) return failed(ran.problem);
  const { text, failed: isFailed = false, memory, files: changes = {} } = ran.value;
  if (memory !== undefined) calls.remember(memory);
  const changed = withChanges(files, changes, bytesMax);
  if (typeof changed === "string") return failed(`${text}\nno file was changed: ${changed}`);
  return { kind: isFailed ? "failed" : "answered", text, files: changed };
};

/** The files with all of the changes, or why the workspace cannot have them. */
const withChanges = (
  files: Files,
  changes: { readonly [path: string]: string | null },
  bytesMax: number,
): Files | string => {
  let after = files;
  for (const [path, text] of Object.entries(changes)) {
    const read = readPath(path, after);
    if (!read.ok) return read.problem;
    const changed =
      text === null ? withoutFile(after, read.path) : withFile(after, read.path, text);
    if (!changed.ok) return changed.problem;
    after = changed.files;
  }
  return sizeProblem(after, bytesMax) ?? after;
};
