import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import {
  genesisId,
  type Id,
  type Interface,
  interfaceProblem,
  invariant,
  must,
} from "../kernel/index.ts";

/** Programs of the standard library. They have no privileges: an agent could have written them. */
export const LIBRARY_NAMES = ["escrow", "debt_contract", "voting", "board"] as const;

type LibraryProgram = { readonly id: Id; readonly code: string; readonly interface: Interface };

/** In the repository, the folder is next to `src`; in the published package, next to `lib`. */
const FOLDER = join(import.meta.dirname, "../../genesis");

const PARTS = /^\/\* ---\n([\s\S]*?)\n--- \*\/\n([\s\S]*)$/;

const SHARED = "shared.js";

type LibraryName = (typeof LIBRARY_NAMES)[number];

const known = new Map<LibraryName, LibraryProgram>();

/** A program of the standard library. Its file is read once, because parsing YAML is slow. */
export const libraryProgram = (name: LibraryName): LibraryProgram => {
  const program = known.get(name) ?? readProgram(name);
  known.set(name, program);
  return program;
};

/** Reads `genesis/<name>.js`. The file has a comment with the interface in YAML, then the code. */
const readProgram = (name: LibraryName): LibraryProgram => {
  const [, yaml, code] = PARTS.exec(readFileSync(join(FOLDER, `${name}.js`), "utf8")) ?? [];
  const declared: Interface = parse(must(yaml, `genesis/${name}.js must start with its interface`));
  const problem = interfaceProblem(declared);
  invariant(problem === null, `the interface in genesis/${name}.js is not valid: ${problem}`);
  const text = must(code, `genesis/${name}.js must have code after its interface`);
  const shared = readFileSync(join(FOLDER, SHARED), "utf8");
  return { id: genesisId(name), code: `${shared}\n${text.trim()}`, interface: declared };
};
