import { folderWith } from "./temporary-folder.ts";

const TOKEN = "  wheat: { file: mechanisms/token.js, settings: { initial: { ada: 9 } } }\n";
const HEAD = "run: { clock: virtual, duration_s: 5 }\nmechanisms:\n";
const AGENTS = { "agents/ada/agent.yaml": "id: ada\nmind: policy/zero_intelligence\n" };
/** A folder with an agent, a token, and further entries of the configuration. */
export const labWith = (entries: string, files: { readonly [file: string]: string } = {}): string =>
  folderWith({ ...AGENTS, ...files, "config.yaml": `${HEAD}${TOKEN}${entries}` });
