import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { PACKAGE_ROOT, packageVersion } from "../text/index.ts";
import { sha256 } from "../world/index.ts";

/** What decides how a run of one definition goes: the program, its shipped files, and Node. */
export type EngineVersion = {
  /** Short, for names of queues: equal if and only if the versions are equal. */
  readonly tag: string;
  /** For people, such as `0.1.0 (1a2b3c4d, Node 24)`. */
  readonly shown: string;
};

const TAG_CHARS = 8;

/** The parts of the package that runs read. A checkout has `src`, a published package has `lib`. */
const PARTS = [
  ...["src", "lib", "agents", "agents-llm", "agents-bargain", "genesis", "mechanisms"],
  "config.yaml",
];

/**
 * The version of this program. It contains a hash of the files of the package, so that two
 * checkouts with the same version number and different sources differ.
 */
export const engineVersion = (): EngineVersion => {
  const files = PARTS.flatMap((part) => filesAt(join(PACKAGE_ROOT, part))).toSorted();
  const lines = files.map(
    (file) => `${relative(PACKAGE_ROOT, file)} ${sha256(readFileSync(file))}`,
  );
  const hash = sha256([...lines, dependencies()].join("\n")).slice(0, TAG_CHARS);
  const [node = ""] = process.versions.node.split(".");
  const version = packageVersion();
  return { tag: `${version}-${hash}-${node}`, shown: `${version} (${hash}, Node ${node})` };
};

const filesAt = (path: string): readonly string[] => {
  if (!existsSync(path)) return [];
  if (path.endsWith(".yaml")) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
};

/** The dependencies with their versions. */
const dependencies = (): string => {
  const read: unknown = JSON.parse(readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8"));
  const has = typeof read === "object" && read !== null && "dependencies" in read;
  return JSON.stringify(has ? read.dependencies : null);
};
