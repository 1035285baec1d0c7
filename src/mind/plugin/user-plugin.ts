import { z } from "zod";
import { cutText, type Json, type JsonObject, type PrngState } from "../../kernel/index.ts";
import { findingsOf } from "../finding.ts";
import { asJson, readMemory } from "../mind-memory-codec.ts";
import type { ToolOffer } from "../model/index.ts";
import { Dice, diceState } from "../policy/dice.ts";
import { failed, type Tool, type ToolMoment, type ToolOutcome, wrongArgs } from "../tools/tool.ts";
import { unitsOfTokens } from "../units.ts";
import type { ModuleCall, ModuleInput } from "../user/messages.ts";
import { calledWith } from "../user/module-call.ts";
import { showFault } from "../user/module-mind.ts";
import type { UserModule } from "../user/module-thread.ts";
import { withFile, withoutFile } from "../workspace/edit.ts";
import { type Files, readPath, sizeProblem } from "../workspace/files.ts";
import { ATTRIBUTE_NAME, type Plugin, type PluginMoment } from "./plugin.ts";
import { keepSchema } from "./retention.ts";

/** A plugin of a persona, with the agent that has it. */
export type OwnPlugin = {
  /** The name in texts, and the key of its memory. */
  readonly name: string;
  readonly module: UserModule;
  readonly settings: ModuleInput["settings"];
  readonly agent: string;
  readonly seed: number;
  /** The most tokens that the plugin adds to a call. */
  readonly tokensMax: number;
};

const MEMORY_CHARS_MAX = 65_536;
const TOOLS_MAX = 50;
const TEXTS_MAX = 50;
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
        keep: keepSchema.default(false),
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
        example: z.string().optional(),
      }),
    )
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

const keptSchema = z.object({ dice: z.custom<Json>(), own: z.custom<Json>() });

/** What a plugin remembers, and the state of its random numbers. */
type Kept = { readonly dice: PrngState; readonly own: Json };

/**
 * A plugin that a user wrote. Its functions run in the thread of modules, and depend only on their
 * argument. A function that fails adds nothing to the step, and the run is warned.
 */
export const userPlugin = (own: OwnPlugin): Plugin => {
  const { name } = own;
  const ask: Ask = (schema, call, moment) => answerOf(own, schema, call, moment);
  return {
    name,
    contribute: (moment) => {
      const { isTurnStart: turnStart } = moment;
      const asked = ask(
        contributionSchema,
        (input) => ({ function: "contribute", input: { ...input, turnStart } }),
        moment,
      );
      if (!asked.ok) return {};
      const { system = "", texts, tools, attributes } = asked.value;
      const charsMax = unitsOfTokens(own.tokensMax);
      const shown = system === "" ? "" : headed(name, cutText(system, charsMax));
      let left = charsMax - shown.length;
      const cut = texts.map((each) => {
        const text = headed(name, cutText(each.text, Math.max(0, left)));
        left -= text.length;
        return { ...each, text };
      });
      return {
        system: shown,
        texts: cut.filter(({ text }) => text !== headed(name, "")),
        tools: toolsOf(tools, { ask, own, moment }),
        attributes,
      };
    },
    read: (reply, moment) => {
      const asked = ask(
        ANY_MEMORY,
        (input) => ({ function: "read", input: { ...input, reply } }),
        moment,
      );
      if (asked.ok && asked.value !== undefined) remember(own, asked.value, moment);
    },
    reset: (moment) => {
      const asked = ask(ANY_MEMORY, (input) => ({ function: "reset", input }), moment);
      remember(own, asked.ok ? (asked.value ?? null) : null, moment);
    },
  };
};

const headed = (name: string, text: string): string => `## ${name}\n${text}`;

type MakeCall = (input: ModuleInput) => ModuleCall;

type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

type Ask = <T>(schema: z.ZodType<T>, call: MakeCall, moment: PluginMoment) => Answer<T>;

const keptOf = ({ name, agent, seed }: OwnPlugin, { memories }: PluginMoment): Kept => {
  const none = { dice: null, own: null };
  const kept = readMemory(memories.get(name) ?? null, none, keptSchema);
  const dice = diceState(kept.dice) ?? Dice.of(seed, `${agent}/plugin/${name}`).state;
  return { dice, own: kept.own };
};

const keep = ({ name }: OwnPlugin, { dice, own }: Kept, { memories }: PluginMoment): void =>
  void memories.set(name, { dice: [...dice], own });

const remember = (plugin: OwnPlugin, own: Json, moment: PluginMoment): void => {
  const chars = JSON.stringify(own).length;
  if (chars <= MEMORY_CHARS_MAX) keep(plugin, { ...keptOf(plugin, moment), own }, moment);
  else {
    const most = `the maximum is ${MEMORY_CHARS_MAX}`;
    moment.warn(`the plugin ${plugin.name} returned a memory of ${chars} characters; ${most}`);
  }
};

/** Calls a function of the plugin. A fault is a warning of the run. */
const answerOf = <T>(
  plugin: OwnPlugin,
  schema: z.ZodType<T>,
  makeCall: MakeCall,
  moment: PluginMoment,
): Answer<T> => {
  const { name, module, settings, agent } = plugin;
  const { source, warn } = moment;
  const kept = keptOf(plugin, moment);
  const call = makeCall({ view: source.view, memory: kept.own, settings });
  const { answer, dice, notes } = calledWith(module, call, kept.dice);
  keep(plugin, { ...kept, dice }, moment);
  for (const note of notes) warn(`the plugin ${name} of ${agent}: ${showFault(note)}`);
  const problem = (text: string): Answer<T> => {
    warn(`the plugin ${name} of ${agent} failed: ${text}`);
    return { ok: false, problem: text };
  };
  if (!answer.ok) return problem(showFault(answer.fault));
  const read = schema.safeParse(answer.returned);
  if (read.success) return { ok: true, value: read.data };
  const [found] = findingsOf(read.error, { schema, value: answer.returned });
  return problem(`${call.function} returned a wrong value: ${found?.message ?? "unknown"}`);
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

const toolsOf = (
  offered: readonly Offered[],
  {
    ask,
    own,
    moment,
  }: { readonly ask: Ask; readonly own: OwnPlugin; readonly moment: PluginMoment },
): readonly Tool[] =>
  offered.map((given) => {
    const { offer, args } = offerOf(given);
    const run = (asked: Json, { files, bytesMax }: ToolMoment): ToolOutcome => {
      const call: MakeCall = (input) => ({
        function: "run",
        tool: offer.name,
        args: asked,
        input: { ...input, files: Object.fromEntries(files) },
      });
      const ran = ask(ranSchema, call, moment);
      if (!ran.ok) return failed(ran.problem);
      const { text, failed: isFailed = false, memory, files: changes = {} } = ran.value;
      if (memory !== undefined) remember(own, memory, moment);
      const changed = withChanges(files, changes, bytesMax);
      if (typeof changed === "string") return failed(`${text}\nno file was changed: ${changed}`);
      return { kind: isFailed ? "failed" : "answered", text, files: changed };
    };
    return {
      offer,
      call: (asked, at) => {
        const read = args.safeParse(asked);
        return read.success ? run(asked, at) : failed(wrongArgs(offer, read.error));
      },
    };
  });

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
