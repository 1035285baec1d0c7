import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject } from "../../kernel/index.ts";
import type { Occasion } from "./user-mind.ts";

const SUFFIXES = [".ts", ".mts", ".js", ".mjs"];

/** The path of a module, such as `./mind.ts`. */
export type ModulePath = string & { readonly brand: "module path" };

export const isModulePath = (mind: unknown): mind is ModulePath =>
  typeof mind === "string" &&
  (/^\.{0,2}[/\\]/.test(mind) || SUFFIXES.some((suffix) => mind.endsWith(suffix)));

const HASH_CHARS = 12;
const NAME = /^([\w.-]{1,64})\.[0-9a-f]{12}(\.m?[tj]s)$/;

/** The name of a run's copy of a module: the user's name, and a hash of the content. */
export const moduleNameFor = (path: string, text: string): string => {
  const suffix = extname(path);
  const own =
    basename(path, suffix)
      .replaceAll(/[^\w.-]/g, "_")
      .slice(0, 64) || "mind";
  const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARS);
  return `${own}.${hash}${suffix}`;
};

export const isModuleName = (name: string): boolean => NAME.test(name);

/** The name of the user's file, from the name of its copy. */
const ownName = (path: string): string => {
  const [, own, suffix] = NAME.exec(basename(path)) ?? [];
  return own === undefined ? basename(path) : `${own}${suffix}`;
};

/** What `decide` returned, not checked yet. `problem` starts with the place, such as `:5:11`. */
type Answer =
  | { readonly ok: true; readonly returned: unknown }
  | { readonly ok: false; readonly problem: string };

/** A module of the user that this process has loaded. */
export type UserModule = {
  /** Calls the user's `decide`. An error that it throws becomes a problem with the user's line. */
  readonly decide: (occasion: Occasion) => Answer;
  /** The name of the user's file, such as `mind.ts`. */
  readonly name: string;
};

type LoadedModule =
  | { readonly ok: true; readonly module: UserModule }
  /** `line` is null if the error has no place in the file. */
  | { readonly ok: false; readonly line: number | null; readonly problem: string };

const requireModule = createRequire(import.meta.url);

/**
 * Loads a module of the user and checks its default export. This runs the module's code in this
 * process. The file is always read as an ECMAScript module, whatever `package.json` is near it.
 */
export const loadUserMind = (file: string): LoadedModule => {
  const path = resolve(file);
  const suffix = extname(path);
  if (!SUFFIXES.includes(suffix)) {
    return { ok: false, line: null, problem: `must end with one of ${SUFFIXES.join(", ")}` };
  }
  const url = pathToFileURL(path).href;
  const format = suffix.endsWith("ts") ? "module-typescript" : "module";
  const hooks = registerHooks({
    load: (each, context, next) => next(each, each === url ? { ...context, format } : context),
  });
  try {
    const foreign = relativeImport(readFileSync(path, "utf8"));
    if (foreign !== null) return { ok: false, ...foreign };
    return checkedExport(requireModule(path), path);
  } catch (error) {
    const { line, message } = faultIn(error, path);
    return { ok: false, line, problem: message };
  } finally {
    hooks.deregister();
  }
};

const checkedExport = (exported: unknown, path: string): LoadedModule => {
  const mind = isObject(exported) ? exported.default : undefined;
  const decide = isObject(mind) ? mind.decide : undefined;
  if (typeof decide !== "function") {
    const cure = "as in `export default { decide: ({ view }) => ({ action: { noop: {} } }) }`";
    const problem = `must export default an object with a function decide, ${cure}`;
    return { ok: false, line: null, problem };
  }
  const called = (occasion: Occasion): Answer => {
    try {
      const returned: unknown = Reflect.apply(decide, mind, [occasion]);
      return { ok: true, returned };
    } catch (error) {
      const { place, message } = faultIn(error, path);
      return { ok: false, problem: `${place}: ${message}` };
    }
  };
  return { ok: true, module: { decide: called, name: ownName(path) } };
};

const RELATIVE = /^\s*(?:import|export)\b(?!\s+type\b)[^"'`;]*["'](\.{1,2}\/[^"']*)["']/m;

/** The first relative import, or null. The run keeps a copy of the module, but not of others. */
const relativeImport = (
  text: string,
): { readonly line: number; readonly problem: string } | null => {
  const found = RELATIVE.exec(text);
  if (found === null) return null;
  const line = text.slice(0, found.index + found[0].length).split("\n").length;
  const why = "a run keeps a copy of this file only; move that code into this file";
  return { line, problem: `imports ${found[1]}, but ${why}` };
};

type ThrownError = {
  /** `:LINE:COLUMN` in the user's file, or empty. */
  readonly place: string;
  readonly line: number | null;
  readonly message: string;
};

const ASYNC = "ERR_REQUIRE_ASYNC_MODULE";

/** The place in the user's file and the message of something that the user's code threw. */
const faultIn = (error: unknown, path: string): ThrownError => {
  if (!(error instanceof Error)) return { place: "", line: null, message: `threw ${shown(error)}` };
  const code = "code" in error ? error.code : null;
  if (code === ASYNC) return { place: "", line: null, message: "must not use `await` at its top" };
  const [message = ""] = `${error.name}: ${error.message}`.split("\n");
  const stack = error.stack ?? "";
  for (const where of [pathToFileURL(path).href, path]) {
    const [place, line] = placeAfter(stack, where);
    if (place !== null) return { place, line, message };
  }
  return { place: "", line: null, message };
};

const placeAfter = (
  stack: string,
  where: string,
): readonly [place: string, line: number] | readonly [null, null] => {
  const at = stack.indexOf(`${where}:`);
  const place = at < 0 ? null : (/^:(\d+)(?::\d+)?/.exec(stack.slice(at + where.length)) ?? null);
  return place === null ? [null, null] : [place[0], Number(place[1])];
};

const shown = (thrown: unknown): string => String(thrown).split("\n")[0] ?? "";
