import { createHash } from "node:crypto";
import { basename } from "node:path";

/** The endings of the files in which a module can be written. */
export const MODULE_SUFFIXES = [".ts", ".mts", ".js", ".mjs"];

/** Whether a value of `mind` is the path of a module, such as `./mind.ts`. */
export const isModulePath = (mind: unknown): mind is string =>
  typeof mind === "string" &&
  (/^\.{0,2}[/\\]/.test(mind) || MODULE_SUFFIXES.some((suffix) => mind.endsWith(suffix)));

/** One file of a module. The path is relative to the folder that contains all of its files. */
export type ModuleFile = { readonly path: string; readonly text: string };

const NAME_CHARS = 64;
const HASH_CHARS = 12;
const NAME = new RegExp(`^([\\w-][\\w.-]{0,${NAME_CHARS - 1}})\\.[0-9a-f]{${HASH_CHARS}}$`);

/** The name of a run's copy of a module: the name of the user's file, and a hash of all files. */
export const moduleNameFor = (path: string, files: readonly ModuleFile[]): string => {
  const plain = basename(path).replaceAll(/[^\w.-]/g, "_");
  // The cut name can begin with a dot too.
  const own = plain.slice(-NAME_CHARS).replace(/^\./, "_");
  const content = JSON.stringify(files.map((file) => [file.path, file.text]));
  const hash = createHash("sha256").update(content).digest("hex").slice(0, HASH_CHARS);
  return `${own}.${hash}`;
};

/** The name of a plugin, such as `weather`, from the name of its file, such as `weather.ts`. */
export const pluginName = (file: string): string => file.replace(/\.[^.]*$/, "");

export const isModuleName = (name: string): boolean => NAME.test(name);

/** The name of the user's file, such as `mind.ts`, from the name of a run's copy. */
export const ownNameOf = (name: string): string => NAME.exec(name)?.[1] ?? name;
