import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import { isObject, jsonIn, must, type State } from "../../kernel/index.ts";
import {
  type MindParts,
  type ModuleHost,
  type ModuleRole,
  ownNameOf,
  showFault,
  type UserModule,
} from "../../mind/index.ts";
import { readAgent } from "../minds/agent-config.ts";
import { agentContents } from "../minds/agent-contents.ts";
import type { PersonaModule } from "../persona/persona.ts";

/** The modules that a run needs, by name, each with the first agent that needs it. */
export type ModuleNeeds = ReadonlyMap<
  string,
  { readonly agent: string; readonly role: ModuleRole }
>;

/** The modules of the agents of a world, without those of `omitted` agents. */
export const modulesIn = (state: State, omitted: ReadonlySet<string>): ModuleNeeds => {
  const contents = agentContents(state).filter(({ id }) => !omitted.has(id));
  return needsOf(contents.map(({ id, content }) => ({ id, content })));
};

/** The modules that agents with these configurations need. */
export const needsOf = (
  agents: Iterable<{ readonly id: string; readonly content: string }>,
): ModuleNeeds => {
  const needs = new Map<string, { readonly agent: string; readonly role: ModuleRole }>();
  for (const { id: agent, content } of agents) {
    const read = readAgent(content);
    if (!read.ok || read.kind.modules === undefined) continue;
    const { role, inAgent } = read.kind.modules;
    for (const name of inAgent(read.config)) {
      if (!needs.has(name)) needs.set(name, { agent, role });
    }
  }
  return needs;
};

/** The name of the folder with the files of a copied module. Other tools read `package.json`. */
const FILES = "files";
const PACKAGE = "package.json";

/** Writes the copy of a module: a package with the module and the files that it imports. */
export const writeModule = (copies: string, { name, files, main }: PersonaModule): void => {
  const folder = join(copies, name);
  for (const { path, text } of files) {
    const file = join(folder, FILES, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const about = { private: true, type: "module", main: `${FILES}/${main}` };
  writeFileSync(join(folder, PACKAGE), `${JSON.stringify(about, null, 2)}\n`);
};

/** Copies the modules that a forked world needs from the modules of another run. */
export const copyModules = (from: string, to: string, needs: ModuleNeeds): void => {
  for (const name of needs.keys()) {
    const [source, target] = [join(from, name), join(to, name)];
    if (!existsSync(target) && existsSync(source)) cpSync(source, target, { recursive: true });
  }
};

/** A hash of all files below a folder, or null if it is missing or has something else in it. */
export const hashOfFolder = (folder: string): string | null => {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const file = join(folder, name);
    const found = lstatSync(file);
    hash.update(`${JSON.stringify(name)}\n`);
    if (found.isDirectory()) continue;
    if (!found.isFile()) return null;
    hash.update(createHash("sha256").update(readFileSync(file)).digest());
  }
  return hash.digest("hex");
};

/** The main file of the copy of a module. Null if the copy is missing, or not as a run writes it. */
const mainFileOf = (copies: string, name: string): string | null => {
  const copy = join(copies, name);
  if (hashOfFolder(copy) === null) return null;
  const about = join(copy, PACKAGE);
  const read = existsSync(about) ? jsonIn(readFileSync(about, "utf8")) : null;
  const main = isObject(read) && typeof read.main === "string" ? join(copy, read.main) : "";
  return main.startsWith(join(copy, FILES) + sep) ? main : null;
};

type Search = {
  readonly needs: ModuleNeeds;
  /** The folder in which a missing copy should be. */
  readonly source: string;
  readonly modules: ModuleHost;
};

/** Returns one line for each module in `copies` that is missing or cannot be loaded. */
export const moduleProblems = (
  copies: string,
  { needs, source, modules }: Search,
): readonly string[] =>
  [...needs].flatMap(([name, { agent, role }]) => {
    const main = mainFileOf(copies, name);
    if (main === null) {
      const missing = `${join(source, name)} is missing`;
      const cure = `copy it there, or fork the run with --agents DIR and the persona of ${agent}`;
      const what = role === "mind" ? "the mind" : "a plugin";
      return [`${missing}: it is ${what} of ${agent} (${ownNameOf(name)}); ${cure}`];
    }
    const loaded = modules.load(main, role);
    return loaded.ok
      ? []
      : [`the copy of ${ownNameOf(name)} in ${copies}: ${showFault(loaded.fault)}`];
  });

/** Returns a getter of the modules in `copies`. `moduleProblems` must find none. */
export const modulesOf = (copies: string, modules: ModuleHost): MindParts["moduleNamed"] => {
  const loaded = new Map<string, UserModule>();
  return (name, role) => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const main = must(mainFileOf(copies, name), `a run must have its modules: ${name}`);
    const read = modules.load(main, role);
    const module = must(read.ok ? read.module : null, `a module of a run must load: ${name}`);
    loaded.set(name, module);
    return module;
  };
};
