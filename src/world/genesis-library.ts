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

/** Contracts that a world can begin with. They have no privilege: an agent could have made them. */
export const LIBRARY_NAMES = ["escrow", "debt_contract", "voting", "board"] as const;

/** A program of the standard library as it is installed. */
export type LibraryProgram = {
  readonly id: Id;
  readonly code: string;
  readonly interface: Interface;
};

/** The folder beside src, and beside lib in the published package. */
const FOLDER = join(import.meta.dirname, "../../genesis");

const PARTS = /^\/\* ---\n([\s\S]*?)\n--- \*\/\n([\s\S]*)$/;

/** What all of them begin with: who calls, in whose name, and what is attached. */
const SHARED = "shared.js";

/**
 * Reads `genesis/<name>.js`: a comment of YAML that is its interface, and its code, which stands
 * behind what all of them share. It is part of this package, so that a file which is missing or
 * wrong is a bug and throws.
 */
export const libraryProgram = (name: (typeof LIBRARY_NAMES)[number]): LibraryProgram => {
  const [, yaml, code] = PARTS.exec(readFileSync(join(FOLDER, `${name}.js`), "utf8")) ?? [];
  const declared: Interface = parse(must(yaml, `genesis/${name}.js begins with its interface`));
  const problem = interfaceProblem(declared);
  invariant(problem === null, `the interface in genesis/${name}.js is well formed: ${problem}`);
  const text = must(code, `genesis/${name}.js has code after its interface`);
  const shared = readFileSync(join(FOLDER, SHARED), "utf8");
  return { id: genesisId(name), code: `${shared}\n${text.trim()}`, interface: declared };
};
