import { z } from "zod";
import {
  cutText,
  Dice,
  diceState,
  type Json,
  type JsonObject,
  type PrngState,
  type View,
} from "../../kernel/index.ts";
import {
  asJson,
  calledWith,
  findingsOf,
  type ModuleCall,
  type ModuleFault,
  type ModuleInput,
  type PluginReply,
  pluginName,
  readMemory,
  showFault,
  type UserModule,
} from "../../mind/index.ts";
import { soundText, type ToolOffer, unitsOfTokens } from "../../model/index.ts";
import { counted } from "../../text/index.ts";
import { retention } from "../conversation/added-texts.ts";
import { failed, type Tool, type ToolMoment, type ToolOutcome, takes } from "../tool/tool.ts";
import { withChanges } from "../workspace/edit.ts";
import { BUILT_IN_TOOLS, type Plugin, type PluginMoment } from "./plugins.ts";

const TOOLS_MAX = 50;

/** Words that a script or a reply uses itself. */
const WORDS =
  "and as assert async await break case catch class const continue debugger def default del " +
  "delete do elif else enum eval except export extends false finally for from function global " +
  "if implements import in instanceof interface is lambda let new nonlocal not null or package " +
  "pass private protected public raise return static super switch this throw true try typeof " +
  "undefined var void while with yield print kernel run arguments run_code calls set_attributes " +
  "Array Boolean Date Error Infinity JSON Map Math NaN Number Object Promise Proxy Reflect " +
  "RegExp Set String Symbol None True False globalThis";
const BUILT_IN = [...BUILT_IN_TOOLS.tools, ...BUILT_IN_TOOLS.slowTools];
const TAKEN_TOOLS: readonly string[] = [
  ...WORDS.split(" "),
  ...BUILT_IN.map(({ offer }) => offer.name),
];
const TAKEN_ATTRIBUTES = ["calls", "attributes", "response-metadata"];
const TAKEN_COMMANDS = ["help", "files", "reset", "exit"];

/** A schema of names. A name cannot be one that is taken by `by`, in capitals or not. */
const nameOf = (
  pattern: RegExp,
  letters: string,
  taken: readonly string[],
  by: string,
): z.ZodString => {
  const isFree = (name: string): boolean =>
    !taken.some((each) => each.toLowerCase() === name.toLowerCase());
  return z
    .string()
    .regex(pattern, `must be a name of ${letters}, at most 64 characters`)
    .refine(isFree, { error: `is the name of ${by}; choose another name` });
};

const toolName = nameOf(
  /^[A-Za-z][A-Za-z0-9_]{0,63}$/,
  "letters, digits and _",
  TAKEN_TOOLS,
  "a built-in tool, or a word of a language",
);
const attributeName = nameOf(
  /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
  "letters, digits and -",
  TAKEN_ATTRIBUTES,
  "a part of the reply",
);
const commandName = nameOf(
  /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
  "letters, digits, _ and -",
  TAKEN_COMMANDS,
  "a built-in command",
);

const json = z.json().transform(asJson);

/** The JSON Schema of an object. */
const objectSchema = z.record(z.string(), json).superRefine((input, context) => {
  const problem = schemaProblem(input);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
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

/** What a plugin adds to a step, and the commands that it gives to people. */
const contributionSchema = z.strictObject({
  system: z.string().optional(),
  message: z
    .array(
      z.strictObject({
        text: z.string(),
        keep: retention.default(false),
        show: z.boolean().default(true),
      }),
    )
    .max(50)
    .default([]),
  tools: z
    .record(
      toolName,
      z.strictObject({
        description: z.string().min(1),
        input: objectSchema.default({ type: "object", properties: {} }),
      }),
    )
    .refine((tools) => Object.keys(tools).length <= TOOLS_MAX, {
      error: `must have at most ${TOOLS_MAX} tools`,
    })
    .default({}),
  attributes: z
    .array(
      z.strictObject({
        name: attributeName,
        description: z.string(),
        required: z.boolean().default(false),
        example: z.string().default("..."),
      }),
    )
    .default([]),
  commands: z.record(commandName, z.strictObject({ description: z.string() })).default({}),
  /** Whether the plugin has a function `read`. */
  reads: z.boolean().default(false),
});

const memorySchema = json.optional();

const toolResult = z.preprocess(
  (given) => (typeof given === "string" ? { text: given } : given),
  z.strictObject({
    text: z.string(),
    failed: z.boolean().optional(),
    memory: json.optional(),
    files: z.record(z.string(), z.string().nullable()).optional(),
  }),
);

/** What a call of a tool led to. `wrong` says which argument does not fit the schema. */
const ranSchema = z.union([
  z.strictObject({ ran: toolResult }),
  z.strictObject({ wrong: z.string() }),
]);

const commandResult = z.union([
  z.string().transform((say) => ({ say })),
  z.strictObject({ show: z.string() }),
]);

/** When a plugin is called: its memory, and what the agent sees. */
type CallMoment = Pick<PluginMoment, "memories" | "warn"> & { readonly view: View };

/** A plugin of a persona, with the agent that has it. */
export type OwnPlugin = {
  readonly module: UserModule;
  readonly settings: ModuleInput["settings"];
  readonly agent: string;
  readonly seed: number;
  /** The most tokens that the plugin adds to a call. */
  readonly tokensMax: number;
};

const MEMORY_CHARS_MAX = 65_536;

const keptSchema = z.object({ dice: z.custom<Json>(), own: z.custom<Json>() });

/** What a plugin remembers, and the state of its random numbers. */
type Kept = { readonly dice: PrngState; readonly own: Json };

type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** Calls the functions of a plugin in one step, with its memory. */
class PluginCalls {
  readonly #plugin: OwnPlugin;
  readonly #moment: CallMoment;
  readonly #name: string;

  constructor(plugin: OwnPlugin, moment: CallMoment) {
    this.#plugin = plugin;
    this.#moment = moment;
    this.#name = pluginName(plugin.module.name);
  }

  /** Calls a function, and checks what it returns. A fault is a warning of the run. */
  ask<T>(schema: z.ZodType<T>, callWith: (input: ModuleInput) => ModuleCall): Answer<T> {
    const { module, settings } = this.#plugin;
    const kept = this.#kept();
    const call = callWith({ view: this.#moment.view, memory: kept.own, settings });
    const { answer, dice, notes } = calledWith(module, call, kept.dice);
    this.#keep({ ...kept, dice });
    for (const note of notes) this.warn(`: ${showFault(note)}`);
    if (!answer.ok) return this.#failed(showFault(answer.fault), answer.fault);
    const read = schema.safeParse(answer.returned);
    if (read.success) return { ok: true, value: read.data };
    const [found] = findingsOf(read.error, { schema, value: answer.returned });
    const what = call.function === "contribute" ? "it gives" : `${call.function} returned`;
    return this.#failed(`${what} a wrong value: ${found?.message ?? "unknown"}`);
  }

  /** Replaces the memory of the plugin, unless the new one is too large. */
  remember(own: Json): void {
    const chars = JSON.stringify(own).length;
    if (chars <= MEMORY_CHARS_MAX) this.#keep({ ...this.#kept(), own });
    else {
      const most = `the maximum is ${MEMORY_CHARS_MAX}`;
      this.warn(` returned a memory of ${chars} characters; ${most}`);
    }
  }

  /** Warns the run. The text follows the name of the plugin. */
  warn(text: string, at?: ModuleFault): void {
    this.#moment.warn(`the plugin ${this.#name} of ${this.#plugin.agent}${text}`, at);
  }

  #failed(problem: string, at?: ModuleFault): { readonly ok: false; readonly problem: string } {
    this.warn(` failed: ${problem}`, at);
    return { ok: false, problem };
  }

  #kept(): Kept {
    const { agent, seed } = this.#plugin;
    const none = { dice: null, own: null };
    const kept = readMemory(this.#moment.memories.get(this.#name) ?? null, none, keptSchema);
    const dice = diceState(kept.dice) ?? Dice.of(seed, `${agent}/plugin/${this.#name}`).state;
    return { dice, own: kept.own };
  }

  #keep({ dice, own }: Kept): void {
    this.#moment.memories.set(this.#name, { dice: [...dice], own });
  }
}

/**
 * A plugin that a user wrote. Its functions run in the thread of modules, and depend only on their
 * argument. If it fails in a step, it adds nothing to it, and the run is warned.
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
      const { system = "", message, attributes, reads } = asked.value;
      const tools = Object.entries(asked.value.tools).map(([key, tool]) => ({
        name: key,
        ...tool,
      }));
      const { fitting, charsLeft } = withinBudget(tools, unitsOfTokens(own.tokensMax));
      if (fitting.length < tools.length) calls.warn(tooManyTools(tools.length - fitting.length));
      const shown = system === "" ? "" : headed(name, cutText(system, charsLeft));
      let left = charsLeft - shown.length;
      const texts = message.flatMap((each) => {
        const kept = cutText(each.text, Math.max(0, left));
        left -= kept.length;
        return kept === "" ? [] : [{ ...each, text: headed(name, kept) }];
      });
      const added = {
        system: shown,
        texts,
        tools: fitting.map((offer) => toolOf(offer, calls, turnStart)),
        attributes,
      };
      return reads ? { ...added, read: (reply) => readBy(calls, reply) } : added;
    },
    reset: (moment) => {
      const calls = new PluginCalls(own, moment);
      const asked = calls.ask(memorySchema, (input) => ({ function: "reset", input }));
      calls.remember(asked.ok ? (asked.value ?? null) : null);
    },
  };
};

/** The tools whose descriptions fit, and the characters that are left for texts. */
const withinBudget = (tools: readonly ToolOffer[], charsMax: number) => {
  const fitting: ToolOffer[] = [];
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
  if (!asked.ok) return [];
  return Object.entries(asked.value.commands).map(([name, rest]) => ({ name, ...rest }));
};

/** Runs a command. Returns what to say to the agent or to show to the person. Null: it failed. */
export const runPluginCommand = (
  own: OwnPlugin,
  command: { readonly command: string; readonly args: string },
  moment: CallMoment,
) => {
  const asked = new PluginCalls(own, moment).ask(commandResult, (input) => {
    return { function: "command", ...command, input };
  });
  return asked.ok ? asked.value : null;
};

const headed = (name: string, text: string): string => `## ${name}\n${soundText(text)}`;

const readBy = (calls: PluginCalls, reply: PluginReply): void => {
  const asked = calls.ask(memorySchema, (input) => {
    return { function: "read", input: { ...input, reply } };
  });
  if (asked.ok && asked.value !== undefined) calls.remember(asked.value);
};

const toolOf = (offer: ToolOffer, calls: PluginCalls, turnStart: boolean): Tool<ToolOutcome> => ({
  offer,
  call: (args, moment) => resultOf(calls, offer, args, turnStart, moment),
});

const resultOf = (
  calls: PluginCalls,
  offer: ToolOffer,
  args: Json,
  turnStart: boolean,
  { files, bytesMax }: ToolMoment,
): ToolOutcome => {
  const ran = calls.ask(ranSchema, (input) => {
    const given = { ...input, turnStart, files: Object.fromEntries(files) };
    return { function: "run", tool: offer.name, args, input: given };
  });
  if (!ran.ok) return failed(ran.problem);
  if ("wrong" in ran.value) return failed(`${ran.value.wrong}; ${takes(offer)}`);
  const { text, failed: isFailed = false, memory, files: changes = {} } = ran.value.ran;
  if (memory !== undefined) calls.remember(memory);
  const changed = withChanges(files, Object.entries(changes), bytesMax);
  if (typeof changed === "string") return failed(`${text}\nno file was changed: ${changed}`);
  return { kind: isFailed ? "failed" : "answered", text: soundText(text), files: changed };
};
