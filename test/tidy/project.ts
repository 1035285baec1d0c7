import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Project } from "./rule.ts";
import { parseSource } from "./source-file.ts";

/** Reads the working tree: files that git tracks, and new ones that it does not ignore. */
export function readProject(top: string): Project {
  const paths = pathsBelow(top);
  const read = (path: string): string => readFileSync(join(top, path), "utf8");
  const sources = paths.filter((path) => path.endsWith(".ts") && PROGRAMS.test(path));
  const documents = paths.filter((path) => /\.(md|ya?ml|js|css|sh|mjs)$/.test(path));
  return {
    files: sources.map((path) => parseSource(path, read(path))),
    documents: documents.map((path) => ({ path, text: read(path) })),
    dependencies: dependenciesOf(readFileSync(join(top, "package.json"), "utf8")),
    decisions: decisionsIn(join(top, "docs", "dev", "decisions")),
  };
}

const PROGRAMS = /^(src|test|bench|scripts|experiments|agents-bargain)\//;
const PROSE = ["deploy", "docs", "genesis", "agents", "agents-llm"];
const FOLDERS = ["src", "test", "bench", "scripts", "experiments", "agents-bargain", ...PROSE];
const SINGLE = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "config.yaml"];

function pathsBelow(top: string): readonly string[] {
  const flags = ["--cached", "--others", "--exclude-standard", "-z", "--"];
  const list = ["ls-files", ...flags, ...FOLDERS, ...SINGLE];
  const git = spawnSync("git", list, { cwd: top, encoding: "utf8" });
  // Where git cannot read the checkout, everything in the folders counts.
  if (git.status !== 0) return [...SINGLE, ...FOLDERS.flatMap((folder) => walked(top, folder))];
  return git.stdout.split("\0").filter((path) => existsSync(join(top, path)));
}

const walked = (top: string, folder: string): readonly string[] =>
  readdirSync(join(top, folder), { recursive: true, encoding: "utf8" }).map((path) =>
    posix.join(folder, path.replaceAll("\\", "/")),
  );

function dependenciesOf(packageText: string): readonly string[] {
  const manifest: unknown = JSON.parse(packageText);
  if (typeof manifest !== "object" || manifest === null) return [];
  return Object.entries(manifest)
    .filter(([key]) => key === "dependencies" || key === "devDependencies")
    .flatMap(([, packages]) => Object.keys(packages));
}

function decisionsIn(folder: string): string {
  if (!existsSync(folder)) return "";
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return names.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}
