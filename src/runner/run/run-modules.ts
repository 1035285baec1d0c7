import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { liveArtifact, must, type State } from "../../kernel/index.ts";
import { loadUserMind, readStoredConfig, type UserModule } from "../../mind/index.ts";
import { runPaths } from "./run-directory.ts";

/** A world, and the ids of its agents that get another configuration at the start of the run. */
type Needs = { readonly state: State; readonly replaced: ReadonlySet<string> };

/** The modules that the agents of a world need, each with the first agent that needs it. */
const modulesIn = ({ state, replaced }: Needs): ReadonlyMap<string, string> => {
  const agents = new Map<string, string>();
  for (const { id, state: now } of state.agents.rows()) {
    const read = readStoredConfig(liveArtifact(state, id)?.content ?? "");
    if (now === "stopped" || replaced.has(id) || !read.ok || read.config.mind !== "module")
      continue;
    if (!agents.has(read.config.module)) agents.set(read.config.module, id);
  }
  return agents;
};

/** Copies the modules that a forked world needs from the folder of another run. */
export const copyModules = (from: string, to: string, needs: Needs): void => {
  for (const name of modulesIn(needs).keys()) {
    const [source, target] = [from, to].map((folder) => join(runPaths(folder).minds, name));
    if (source === undefined || target === undefined) continue;
    if (existsSync(target) || !existsSync(source)) continue;
    mkdirSync(runPaths(to).minds, { recursive: true });
    copyFileSync(source, target);
  }
};

/**
 * Returns one line for each module that is missing or cannot be loaded.
 * @param source the folder of the run in which a missing file should be.
 */
export const moduleProblems = (folder: string, source: string, needs: Needs): readonly string[] =>
  [...modulesIn(needs)].flatMap(([name, agent]) => {
    const path = join(runPaths(folder).minds, name);
    const expected = join(runPaths(source).minds, name);
    if (!existsSync(path)) return [`${expected} is missing; it is the mind of ${agent}`];
    const loaded = loadUserMind(path);
    if (loaded.ok) return [];
    return [`${expected}${loaded.line === null ? "" : `:${loaded.line}`}: ${loaded.problem}`];
  });

/** Returns a getter of the modules in the folder of a run. `moduleProblems` must find none. */
export const modulesOf = (folder: string): ((name: string) => UserModule) => {
  const loaded = new Map<string, UserModule>();
  return (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const read = loadUserMind(join(runPaths(folder).minds, name));
    const module = must(read.ok ? read.module : null, `a run must have its modules: ${name}`);
    loaded.set(name, module);
    return module;
  };
};
