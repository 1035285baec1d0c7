/**
 * Makes `dist/` a package that can be published: the compiled code in `lib/`, which Node runs from
 * below node_modules where it would not strip types, and what comes with it.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { PAGE_NAMES, pageBundle } from "../src/observe/index.ts";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const { private: _private, scripts: _scripts, devDependencies: _dev, ...published } = manifest;

for (const shipped of [
  "agents",
  "agents-llm",
  "genesis",
  "docs",
  "config.yaml",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
]) {
  cpSync(shipped, `dist/${shipped}`, { recursive: true });
}
// Pages are ready in the package, so that it needs no sources of them.
mkdirSync("dist/lib/observe/page", { recursive: true });
for (const page of PAGE_NAMES) {
  writeFileSync(`dist/lib/observe/page/${page}.json`, JSON.stringify(await pageBundle(page)));
}
// Whoever installs the package runs it with their own Node, which must have what we use.
const engines = { node: ">=24" };
const bin = { sim: "lib/cli/main.js" };
writeFileSync("dist/package.json", `${JSON.stringify({ ...published, engines, bin }, null, 2)}\n`);
