import { z } from "zod";
import { cutText, type Json, type JsonObject } from "../../kernel/index.ts";
import { counted } from "../../wording.ts";
import { asJson } from "../mind-memory-codec.ts";
import type { ToolOffer } from "../model/index.ts";
import { BUILT_IN_TOOLS } from "../tools/built-in-plugins.ts";
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
/** A name that is a tag of a reply, and that JSON and YAML need not quote. */
const ATTRIBUTE_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const COMMAND_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** A script calls tools by their names, so they cannot be words of a language. */
const WORDS =
  "and as assert async await break case catch class const continue debugger def default del " +
  "delete do elif else enum eval except export extends false finally for from function global " +
  "if implements import in instanceof interface is lambda let new nonlocal not null or package " +
  "pass private protected public raise return static super switch this throw true try typeof " +
  "undefined var void while with yield print kernel run arguments";
const TAKEN_TOOLS: ReadonlySet<string> = new Set([
  ...WORDS.split(" "),
  ...["run_code", "calls", "set_attributes"],
  ...[...BUILT_IN_TOOLS.tools, ...BUILT_IN_TOOLS.slowTools].map(({ offer }) => offer.name),
]);
const TAKEN_ATTRIBUTES: ReadonlySet<string> = new Set(["calls", "attributes", "response-metadata"]);

const toolName = z
  .string()
  .regex(TOOL_NAME, "must be a name of letters, digits and _")
  .refine((name) => !TAKEN_TOOLS.has(name), {
    error: "is the name of a built-in tool or a word of a language",
  });

const json = z.json().transform(asJson);

const offerSchema = z
  .strictObject({
    name: toolName,
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
        name: z
          .string()
          .regex(ATTRIBUTE_NAME, "must be a name of letters, digits and -")
          .refine((name) => !TAKEN_ATTRIBUTES.has(name), {
            error: "is a name of the reply itself",
          }),
        description: z.string(),
        required: z.boolean().default(false),
        example: z.string().default("..."),
      }),
    )
    .default([]),
  /** Whether the plugin has a function `read`. */
  reads: z.boolean().default(false),
  commands: z
    .array(z.strictObject({ name: z.string().regex(COMMAND_NAME), description: z.string() }))
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
 * argument. If it fails in a step, it adds nothing to it, and the run is warned.
 */
export const modulePlugin = (own: OwnPlugin): Plugin => {
  const name = pluginName(own.module.name);
  const checked = offerChecker();
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
      const { fitting, charsLeft } = withinBudget(tools, unitsOfTokens(own.tokensMax));
      if (fitting.length < tools.length) calls.warn(tooManyTools(tools.length - fitting.length));
      const shown = system === "" ? "" : headed(name, cutText(system, charsLeft));
      let left = charsLeft - shown.length;
      const cut = texts.flatMap((each) => {
        const kept = cutText(each.text, Math.max(0, left));
        left -= kept.length;
        return kept === "" ? [] : [{ ...each, text: headed(name, kept) }];
      });
      const added = {
        system: shown,
        texts: cut,
        tools: fitting.map((offer) => toolOf(checked(offer), calls, turnStart)),
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

type Budget = { readonly fitting: readonly Offered[]; readonly charsLeft: number };

/** The tools whose descriptions fit, and the characters that are left for texts. */
const withinBudget = (tools: readonly Offered[], charsMax: number): Budget => {
  const fitting: Offered[] = [];
  let charsLeft = charsMax;
  for (const tool of tools) {
    const chars = JSON.stringify(tool).length;
    if (chars > charsLeft) continue;
    charsLeft -= chars;
    fitting.push(tool);
  }
  return { fitting, charsLeft };
};

const tooManyTools = (count: number): string =>
  ` offers ${counted(count, "tool")} that tools.plugins_tokens has no room for`;

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
export const runPluginCommand = (
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

/** Makes the schema of a tool's arguments once, as long as the plugin offers the same tools. */
const offerChecker = (): ((given: Offered) => Checked) => {
  let known = new Map<string, Checked>();
  return (given) => {
    const key = JSON.stringify(given);
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= TOOLS_MAX) known = new Map();
    const made = { offer: given, args: z.fromJSONSchema(given.input) };
    known.set(key, made);
    return made;
  };
};

const toolOf = (
  { offer, args }: Checked,
  calls: PluginCalls,
  turnStart: boolean,
): Tool<ToolOutcome> => ({
  offer,
  call: (asked, moment) => {
    const read = args.safeParse(asked);
    if (!read.success) return failed(wrongArgs(offer, read.error));
    return resultOf(calls, { tool: offer.name, args: asked, turnStart }, moment);
  },
});

type ToolCall = { readonly tool: string; readonly args: Json; readonly turnStart: boolean };

const resultOf = (
  calls: PluginCalls,
  { turnStart, ...call }: ToolCall,
  { files, bytesMax }: ToolMoment,
): ToolOutcome => {
  const ran = calls.ask(ranSchema, (input) => {
    const given = { ...input, turnStart, files: Object.fromEntries(files) };
    return { function: "run", ...call, input: given };
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
