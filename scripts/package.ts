/**
 * Completes a package that can be published, in the folder given (default: dist): compiled code in
 * `lib/`, because Node does not strip types below node_modules, and the files it needs. Run
 * `tsc -p tsconfig.build.json` first.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pageBundle, SCRIPT_NAMES } from "../src/page/index.ts";

const [folder = "dist"] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const { private: _private, scripts: _scripts, devDependencies: _dev, ...published } = manifest;

for (const shipped of [
  "agents",
  "agents-llm",
  "agents-bargain",
  "experiments",
  "genesis",
  "mechanisms",
  "docs",
  "config.yaml",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
]) {
  cpSync(shipped, join(folder, shipped), { recursive: true });
}
// The pages are bundled here, so that the package needs no sources of them.
const pages = join(folder, "lib/page/browser");
mkdirSync(pages, { recursive: true });
for (const page of SCRIPT_NAMES) {
  writeFileSync(join(pages, `${page}.json`), JSON.stringify(await pageBundle(page)));
}
const command = "lib/cli/main.js";
const completed = {
  ...published,
  // An installed package runs with the user's Node.
  engines: { node: ">=24" },
  exports: { ".": { types: "./lib/index.d.ts", default: "./lib/index.js" } },
  bin: { sim: command, catallaxy: command },
};
writeFileSync(join(folder, "package.json"), `${JSON.stringify(completed, null, 2)}\n`);
