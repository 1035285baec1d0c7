import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { pageText, stepsIn } from "../support/page-steps.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const MODULES = join(ROOT, "node_modules");
const folder = sharedFolder();
const installed = join(folder, "node_modules/catallaxy");

const run = (cwd: string, program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

/** The package as npm would install it: its files, and its dependencies above them. */
beforeAll(() => {
  const build = join(folder, "build/catallaxy");
  mkdirSync(build, { recursive: true });
  symlinkSync(MODULES, join(folder, "build/node_modules"));
  // The types of the sources are checked by `npm run check`.
  const emit = [
    "-p",
    "tsconfig.build.json",
    "--noCheck",
    "--singleThreaded",
    "--outDir",
    join(build, "lib"),
  ];
  run(ROOT, join(MODULES, ".bin/tsc"), ...emit);
  run(ROOT, process.execPath, "scripts/package.ts", build);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(build, installed);
});

it("runs the example of docs/embedding.md, which imports the installed package", () => {
  const text = readFileSync(join(ROOT, "docs/embedding.md"), "utf8");
  const [, program = ""] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
  expect(program).toContain('from "catallaxy"');
  writeFileSync(join(folder, "example.mjs"), program);
  const out = run(folder, process.execPath, "example.mjs");
  expect(out).toMatch(/^stopped by duration at 20 s\n\d+ artifacts written, state [0-9a-f]{64}\n/);
  expect(out).toMatch(/^ada \d+$/m);
});

it("offers the same command as sim and as catallaxy", () => {
  const { version, bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(run(folder, process.execPath, join(installed, bin.catallaxy), "--version")).toBe(
    `${version}\n`,
  );
  expect(bin.sim).toBe(bin.catallaxy);
});

it("runs minds of the user, and has types for those in the documentation and for its exports", () => {
  const written = stepsIn(pageText("agents.md", "Minds of your own")).flatMap((step) =>
    step.does === "writes" && !step.file.includes("/bea/") ? [step] : [],
  );
  for (const { file, text } of written) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const { bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const sim = (...args: readonly string[]): string =>
    run(folder, process.execPath, join(installed, bin.sim), ...args);
  expect(sim("agents", "new", "ann", "--mind", "file")).toContain("created agents/ann/mind.ts");
  const zoe = join(folder, "agents/zoe/agent.yaml");
  writeFileSync(zoe, "id: zoe\nmind: ./mind.ts\n");
  expect(sim("agents", "validate")).toBe("no problems in ann, max, zoe\n");
  const config = { module: "nodenext", target: "ES2024", noEmit: true, strict: true, types: [] };
  const compilerOptions = { ...config, allowImportingTsExtensions: true, skipLibCheck: true };
  writeFileSync(join(folder, "types.mts"), TYPES);
  const options = { compilerOptions, include: ["agents"], files: ["types.mts"] };
  writeFileSync(join(folder, "tsconfig.minds.json"), JSON.stringify(options));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  expect(
    run(folder, join(MODULES, ".bin/tsc"), "-p", "tsconfig.minds.json", "--singleThreaded"),
  ).toBe("");
});

const TYPES = `
import { type MemoryStore, type Mind, type Model, SimulationRunner, type State } from "catallaxy";
export const scripOf = (state: State): number =>
  [...state.accounts.rows()].reduce((sum, { scrip }) => sum + scrip, 0);
export const decide = (mind: Mind): Mind["decide"] => mind.decide;
export const stop = (runner: SimulationRunner): void => runner.stop("signal");
export type Ports = { mind: Mind; memory: MemoryStore; model: Model };
`;
