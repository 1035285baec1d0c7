import { z } from "zod";
import { didYouMean } from "../../../text/index.ts";
import type { ModuleCall } from "../messages.ts";

/** The default export of a module. `text` is that of the function to name in faults, or null. */
export type ExportCheck =
  | {
      readonly ok: true;
      readonly text: string | null;
      /** Calls a function of the user, which can throw anything. */
      readonly call: (call: ModuleCall, random: () => number) => unknown;
    }
  | { readonly ok: false; readonly problem: string };

export const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null;

/** The keys of the default export of a plugin, and what each must be. */
const KEYS: { readonly [key: string]: readonly string[] } = {
  system: ["function"],
  message: ["function"],
  tools: ["object", "function"],
  attributes: ["object", "function"],
  read: ["function"],
  commands: ["object"],
  reset: ["function"],
};

const NAMES = Object.keys(KEYS);
const EXAMPLE = '`export default { message: () => [{ text: "Be brief.", keep: 2 }] }`';
const RULE = `must export default an object with one of ${NAMES.join(", ")}`;

/** Checks the default export of a plugin. */
export const checkedPlugin = (plugin: unknown): ExportCheck => {
  const wrong = (problem: string): ExportCheck => ({ ok: false, problem });
  if (!isRecord(plugin) || NAMES.every((name) => plugin[name] === undefined)) {
    return wrong(`${RULE}, as in ${EXAMPLE}`);
  }
  for (const [key, value] of Object.entries(plugin)) {
    const types = KEYS[key];
    if (types === undefined) {
      return wrong(`the plugin has an unknown key ${key}; ${didYouMean(key, NAMES) ?? RULE}`);
    }
    if (value !== undefined && (value === null || !types.includes(typeof value))) {
      return wrong(`${key} must be ${types.map(inWords).join(" or ")}`);
    }
  }
  return { ok: true, text: null, call: (call, random) => callOf(plugin, call, random) };
};

const inWords = (type: string): string => (type === "object" ? "an object" : "a function");

type PluginExport = { readonly [key: string]: unknown };

/** Calls a function of a plugin. Everything that the plugin returns is unknown. */
const callOf = (plugin: PluginExport, call: ModuleCall, random: () => number): unknown => {
  const input = { ...call.input, random };
  const given = (key: string): unknown => {
    const value = plugin[key];
    return typeof value === "function" ? Reflect.apply(value, plugin, [input]) : value;
  };
  switch (call.function) {
    case "contribute":
      return {
        system: given("system"),
        message: given("message"),
        tools: offersIn(given("tools")),
        attributes: given("attributes"),
        reads: plugin.read !== undefined,
        commands: offersIn(plugin.commands),
      };
    case "run": {
      const tools = given("tools");
      const wrong = wrongArgs(tools, call);
      return wrong === null ? { ran: applied(tools, call.tool, [call.args, input]) } : { wrong };
    }
    case "command":
      return applied(plugin.commands, call.command, [call.args, input]);
    case "read":
    case "reset":
      return given(call.function);
    case "decide":
      throw new Error("a plugin does not decide");
  }
};

type ToolCall = Extract<ModuleCall, { readonly function: "run" }>;

/** What does not fit the schema of a tool, or null. A pattern in a schema can take forever. */
const wrongArgs = (tools: unknown, { tool, args }: ToolCall): string | null => {
  const entry = isRecord(tools) && Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  const input = isRecord(entry) && isRecord(entry.input) ? entry.input : null;
  if (input === null) return null;
  const read = z.fromJSONSchema({ ...input }).safeParse(args);
  const issue = read.error?.issues[0];
  if (issue === undefined) return null;
  return `${[tool, ...issue.path].join(".")}: ${issue.message}`;
};

/** Calls `run` of the entry with this name. */
const applied = (table: unknown, name: string, args: readonly unknown[]): unknown => {
  const entry = isRecord(table) && Object.hasOwn(table, name) ? table[name] : undefined;
  const run = isRecord(entry) ? entry.run : undefined;
  if (typeof run !== "function") throw new TypeError(`${name} has no function run`);
  return Reflect.apply(run, entry, args);
};

/** The tools or commands without their functions, by name. */
const offersIn = (table: unknown): unknown =>
  isRecord(table)
    ? Object.fromEntries(
        Object.entries(table).map(([name, entry]) => {
          const { run, ...offer } = isRecord(entry) ? entry : {};
          if (typeof run !== "function") throw new TypeError(`${name} has no function run`);
          return [name, offer];
        }),
      )
    : table;
