import { statSync } from "node:fs";
import { createRequire, registerHooks, stripTypeScriptTypes } from "node:module";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { didYouMean } from "../../text/index.ts";
import { firstIssue } from "../core/findings.ts";
import { type CodeMonitor, frameIn, readThrown, type Thrown } from "./code-monitor.ts";
import type { ModuleCall, ModuleFault, ModuleRole } from "./messages.ts";
import { MODULE_SUFFIXES } from "./module-path.ts";
import { faultAt, readSourceTree, type SourceTree, type UserSource } from "./source-tree.ts";

export type LoadedModule = {
  readonly tree: SourceTree;
  readonly call: Extract<ExportCheck, { readonly ok: true }>["call"];
  /** The place of `decide` or of the default export, with an empty message. */
  readonly at: ModuleFault;
  readonly notes: readonly ModuleFault[];
};

type Loading =
  | { readonly ok: true; readonly module: LoadedModule }
  | { readonly ok: false; readonly fault: ModuleFault };

const requireModule = createRequire(import.meta.url);

type Asked = { readonly path: string; readonly role: ModuleRole };

/**
 * Loads a module of the user and checks its default export. This runs the module's code in this
 * thread. Its files are always read as ECMAScript modules, whatever `package.json` is near them.
 */
export const loadModule = ({ path, role }: Asked, monitor: CodeMonitor): Loading => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) {
    const file = path.split(/[/\\]/).at(-1) ?? "";
    return { ok: false, fault: { file, line: null, column: null, message: "is not a file" } };
  }
  const read = readSourceTree(path);
  if (!read.ok) return read;
  const { tree } = read;
  hook(tree);
  const main = mainOf(tree);
  // The check reads the export, which can have getters.
  const { ended, fault, notes } = monitor.watch(tree, () => {
    const exported = exportOf(requireModule(main.path));
    return role === "mind" ? checkedMind(exported) : checkedPlugin(exported.mind);
  });
  if (fault !== null) return { ok: false, fault };
  if (!ended.ok) return { ok: false, fault: loadFault(ended.thrown, tree) };
  const checked = ended.result;
  if (!checked.ok) return { ok: false, fault: atExport(main, checked.problem) };
  const at = checked.text === null ? atExport(main, "") : placeOf(checked.text, tree);
  return { ok: true, module: { tree, notes, call: checked.call, at } };
};

/** Reads a module's files in the right format, and finds packages near the current folder too. */
const hook = (tree: SourceTree): void => {
  const here = pathToFileURL(join(process.cwd(), "mind.js")).href;
  registerHooks({
    load: (url, context, next) => {
      const suffix = tree.has(url) ? extname(url) : "";
      if (!MODULE_SUFFIXES.includes(suffix)) return next(url, context);
      const format = suffix.endsWith("ts") ? "module-typescript" : "module";
      return next(url, { ...context, format });
    },
    resolve: (specifier, context, next) => {
      const isPackage = /^[^./#]/.test(specifier) && !specifier.includes(":");
      if (!isPackage || !tree.has(context.parentURL ?? "")) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch (error) {
        if (readThrown(error).code !== "ERR_MODULE_NOT_FOUND") throw error;
        return next(specifier, { ...context, parentURL: here });
      }
    },
  });
};

const mainOf = (tree: SourceTree): UserSource => {
  const [main] = tree.values();
  if (main === undefined) throw new Error("a module must have a file");
  return main;
};

/** The default export, and whether the module exports a `decide` of its own. */
const exportOf = (exported: unknown) => {
  const all = isRecord(exported) ? exported : {};
  const mind = all.default;
  return { mind, decide: isRecord(mind) ? mind.decide : undefined, hasNamed: "decide" in all };
};

type Export = ReturnType<typeof exportOf>;

const EXAMPLE = "`export default { decide: ({ view }) => ({ action: { noop: {} } }) }`";

const checkedMind = ({ mind, decide, hasNamed }: Export): ExportCheck => {
  if (typeof decide === "function") {
    const call: LoadedModule["call"] = ({ input }, random) =>
      Reflect.apply(decide, mind, [{ ...input, random }]);
    return { ok: true, text: Function.prototype.toString.call(decide), call };
  }
  const rule = `must export default an object with a function decide, as in ${EXAMPLE}`;
  return { ok: false, problem: `${rule}; ${instead(mind, hasNamed)}` };
};

const atExport = (main: UserSource, message: string): ModuleFault =>
  main.exportStart === null
    ? { file: main.name, line: null, column: null, message }
    : faultAt(main, main.exportStart, message);

const instead = (mind: unknown, hasNamed: boolean): string => {
  if (mind === undefined && hasNamed) return "this decide is not in a default export";
  if (mind === undefined) return "it has no default export";
  if (typeof mind === "function") {
    const isClass = /^class\b/.test(Function.prototype.toString.call(mind));
    return `this exports a ${isClass ? "class; export an object of the class" : "function"}`;
  }
  if (!isRecord(mind)) return `this exports ${mind === null ? "null" : `a ${typeof mind}`}`;
  if (!("decide" in mind)) return "this object has no decide";
  return `decide is ${mind.decide === null ? "null" : `a ${typeof mind.decide}`}`;
};

/** Finds the text of `decide` in the files. Types are blanks there, as in the running code. */
const placeOf = (text: string, tree: SourceTree): ModuleFault => {
  for (const source of tree.values()) {
    const plain = source.path.endsWith("ts") ? stripTypeScriptTypes(source.text) : source.text;
    const start = plain.indexOf(text);
    if (start >= 0) return faultAt(source, start, "");
  }
  return { file: mainOf(tree).name, line: null, column: null, message: "" };
};

/** Says where an error of loading comes from: a line that ran, or a line that imports. */
const loadFault = (thrown: Thrown, tree: SourceTree): ModuleFault => {
  const message = loadMessage(thrown);
  const { stack } = thrown;
  const frame = frameIn(stack, tree, message) ?? snippetIn(stack, tree, message);
  if (frame !== null) return frame;
  const said = thrown.message;
  for (const source of tree.values()) {
    for (const { specifier, start, names } of source.imports) {
      if (!quotes(said, specifier)) continue;
      const name = [...names.keys()].find((each) => quotes(said, each));
      return faultAt(source, name === undefined ? start : (names.get(name) ?? start), message);
    }
  }
  return { file: mainOf(tree).name, line: null, column: null, message };
};

const quotes = (said: string, word: string): boolean => {
  const [scope = "", name = ""] = word.split("/");
  const packageName = word.startsWith("@") ? `${scope}/${name}` : scope;
  return said.includes(`'${word}'`) || said.includes(`'${packageName}'`);
};

/** Node shows an unsupported TypeScript syntax as `FILE:LINE`, some lines and a line of carets. */
const snippetIn = (stack: string, tree: SourceTree, message: string): ModuleFault | null => {
  const [, url = "", line] = /^(file:.+):(\d+)\n/.exec(stack) ?? [];
  const source = tree.get(url);
  if (source === undefined) return null;
  const carets = stack.split("\n").find((each) => /^ *\^+ *$/.test(each));
  return {
    file: source.name,
    line: Number(line),
    column: (carets?.indexOf("^") ?? 0) + 1,
    message,
  };
};

const loadMessage = (thrown: Thrown): string => {
  const message = errorText(thrown);
  const [, name] = /'([^']*)'/.exec(message) ?? [];
  switch (thrown.code) {
    case "ERR_REQUIRE_ASYNC_MODULE":
      return "imports a package with `await` outside a function, which a module cannot wait for";
    case "ERR_MODULE_NOT_FOUND": {
      const where = "in the folder where you run `sim`";
      if (name === "catallaxy") return "imports catallaxy; write `import type` to import types";
      return `imports ${name}, which is not installed; run \`npm install ${name}\` ${where}`;
    }
    case "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX":
      return message.replace("in strip-only mode", "here, because Node only removes types");
    default:
      if (!message.includes("does not provide an export named")) return message;
      return `${message}; if it is a type, write \`import type\``;
  }
};

/** The first line of what the user's code threw. */
export const errorText = ({ line }: Thrown): string => {
  if (!line.startsWith("ReferenceError: module is not defined")) return line;
  return "this is an ECMAScript module; write `export default` instead of `module.exports`";
};

/** The default export of a module. `text` is that of the function to name in faults, or null. */
type ExportCheck =
  | {
      readonly ok: true;
      readonly text: string | null;
      /** Calls a function of the user, which can throw anything. */
      readonly call: (call: ModuleCall, random: () => number) => unknown;
    }
  | { readonly ok: false; readonly problem: string };

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null;

/** The keys of the default export of a plugin, and what each must be. */
const KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ["system", ["function"]],
  ["message", ["function"]],
  ["tools", ["object", "function"]],
  ["attributes", ["object", "function"]],
  ["read", ["function"]],
  ["commands", ["object"]],
  ["reset", ["function"]],
]);

const NAMES = [...KEYS.keys()];
const PLUGIN_EXAMPLE = '`export default { message: () => [{ text: "Be brief.", keep: 2 }] }`';
const RULE = `must export default an object with one of ${NAMES.join(", ")}`;

/** Checks the default export of a plugin. */
const checkedPlugin = (plugin: unknown): ExportCheck => {
  const wrong = (problem: string): ExportCheck => ({ ok: false, problem });
  if (!isRecord(plugin) || NAMES.every((name) => plugin[name] === undefined)) {
    return wrong(`${RULE}, as in ${PLUGIN_EXAMPLE}`);
  }
  for (const [key, value] of Object.entries(plugin)) {
    const types = KEYS.get(key);
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
  return read.success ? null : firstIssue(tool, read.error);
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
