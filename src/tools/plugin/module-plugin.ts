import { cutText, type Json } from "../../kernel/index.ts";
import { type PluginReply, pluginName } from "../../mind/index.ts";
import { soundText, type ToolOffer, unitsOfTokens } from "../../model/index.ts";
import { counted } from "../../text/index.ts";
import { failed, type Tool, type ToolMoment, type ToolOutcome, takes } from "../tool.ts";

import { withFile, withoutFile } from "../workspace/edit.ts";
import { type Files, readPath, sizeProblem } from "../workspace/files.ts";
import type { Plugin } from "./plugin.ts";
import { commandResult, contributionSchema, memorySchema, ranSchema } from "./plugin-answers.ts";
import { type CallMoment, type OwnPlugin, PluginCalls } from "./plugin-calls.ts";

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

type Budget = { readonly fitting: readonly ToolOffer[]; readonly charsLeft: number };

/** The tools whose descriptions fit, and the characters that are left for texts. */
const withinBudget = (tools: readonly ToolOffer[], charsMax: number): Budget => {
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

type CommandResult = { readonly say: string } | { readonly show: string };

/** Runs a command. Returns what to say to the agent or to show to the person. Null: it failed. */
export const runPluginCommand = (
  own: OwnPlugin,
  command: { readonly command: string; readonly args: string },
  moment: CallMoment,
): CommandResult | null => {
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
  call: (args, moment) => resultOf(calls, { offer, args, turnStart }, moment),
});

type ToolCall = { readonly offer: ToolOffer; readonly args: Json; readonly turnStart: boolean };

const resultOf = (
  calls: PluginCalls,
  { offer, args, turnStart }: ToolCall,
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
  const changed = withChanges(files, changes, bytesMax);
  if (typeof changed === "string") return failed(`${text}\nno file was changed: ${changed}`);
  return { kind: isFailed ? "failed" : "answered", text: soundText(text), files: changed };
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
