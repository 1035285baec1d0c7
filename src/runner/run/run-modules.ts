import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, jsonIn, must, type State } from "../../kernel/index.ts";
import {
  type ModuleHost,
  ownNameOf,
  readStoredConfig,
  showFault,
  type UserModule,
} from "../../mind/index.ts";
import type { Persona, PersonaModule } from "../persona/persona.ts";
import { agentContents } from "../schedule/agent-contents.ts";

/** The names of the modules that a run needs, each with the first agent that needs it. */
type Needs = ReadonlyMap<string, string>;

/** The modules of the agents of a world. Omits the agents that `personas` replace. */
export const modulesIn = (state: State, personas: readonly Persona[]): Needs => {
  const replaced = new Set(personas.map(({ id }) => id));
  const agents = new Map<string, string>();
  for (const { id, content } of agentContents(state)) {
    const read = readStoredConfig(content);
    if (replaced.has(id) || !read.ok || read.config.mind !== "module") continue;
    if (!agents.has(read.config.module)) agents.set(read.config.module, id);
  }
  return agents;
};

/** The name of the folder with the files of a copied module. Other tools read `package.json`. */
const FILES = "files";
const PACKAGE = "package.json";

/** Writes the copy of a module: a package with the module and the files that it imports. */
export const writeModule = (minds: string, { name, files, main }: PersonaModule): void => {
  const folder = join(minds, name);
  for (const { path, text } of files) {
    const file = join(folder, FILES, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const about = { private: true, type: "module", main: `${FILES}/${main}` };
  writeFileSync(join(folder, PACKAGE), `${JSON.stringify(about, null, 2)}\n`);
};

/** Copies the modules that a forked world needs from the modules of another run. */
export const copyModules = (from: string, to: string, needs: Needs): void => {
  for (const name of needs.keys()) {
    const [source, target] = [join(from, name), join(to, name)];
    if (!existsSync(target) && existsSync(source)) cpSync(source, target, { recursive: true });
  }
};

/** The main file of the copy of a module. Null if the copy is missing. */
const mainFileOf = (minds: string, name: string): string | null => {
  const copy = join(minds, name);
  const about = join(copy, PACKAGE);
  const read = existsSync(about) ? jsonIn(readFileSync(about, "utf8")) : null;
  return isObject(read) && typeof read.main === "string" ? join(copy, read.main) : null;
};

type Search = {
  readonly needs: Needs;
  /** The folder in which a missing copy should be. */
  readonly source: string;
  readonly modules: ModuleHost;
};

/** Returns one line for each module in `minds` that is missing or cannot be loaded. */
export const moduleProblems = (
  minds: string,
  { needs, source, modules }: Search,
): readonly string[] =>
  [...needs].flatMap(([name, agent]) => {
    const main = mainFileOf(minds, name);
    if (main === null) {
      const missing = `${join(source, name)} is missing`;
      const cure = `copy it there, or fork the run with --agents DIR and the persona of ${agent}`;
      return [`${missing}: it is the mind of ${agent} (${ownNameOf(name)}); ${cure}`];
    }
    const loaded = modules.load(main);
    return loaded.ok
      ? []
      : [`the copy of ${ownNameOf(name)} in ${minds}: ${showFault(loaded.fault)}`];
  });

/** Returns a getter of the modules in `minds`. `moduleProblems` must find none. */
export const modulesOf = (minds: string, modules: ModuleHost): ((name: string) => UserModule) => {
  const loaded = new Map<string, UserModule>();
  return (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const main = must(mainFileOf(minds, name), `a run must have its modules: ${name}`);
    const read = modules.load(main);
    const module = must(read.ok ? read.module : null, `a module of a run must load: ${name}`);
    loaded.set(name, module);
    return module;
  };
};
