import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { firstLineOf, NOTHING_ATTACHED } from "../../kernel/index.ts";
import { loadLibrary } from "../../mind/index.ts";
import { type Config, loadPersonas, physicsFor, showProblem } from "../../runner/index.ts";
import { inputJsonOf, sandboxFor } from "../../world/index.ts";
import { EXIT } from "../exit-code.ts";
import { embeddings, modelKeys, qdrant } from "../mind-examinations.ts";
import { addConfigFlags, type ConfigFlags, openConfig } from "../open-config.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";
import { SHIPPED, SHIPPED_POPULATIONS } from "../shipped.ts";
import { UsageProblem } from "../usage-problem.ts";

type Examination = {
  readonly name: string;
  /** Says what it found; throws what is wrong. */
  readonly examine: () => string | Promise<string>;
};

type Diagnosis = { readonly name: string; readonly ok: boolean; readonly detail: string };

const NODE_MAJOR_MIN = 24;
const ANSWER_MS_MAX = 5_000;

type Flags = ConfigFlags & { readonly json?: true };

export const register: Register = (command, shell) => {
  const { output, endWith } = shell;
  addConfigFlags(command).option("--json", "print { ok, checks: [{ name, ok, detail }] }");
  withExamples(command, ["sim doctor", "sim doctor --json"]);
  command.action(async ({ json, ...flags }: Flags) => {
    const { config } = openConfig(flags);
    const checks: Diagnosis[] = [];
    for (const each of examinations(config, shell)) checks.push(await diagnose(each));
    const ok = checks.every((check) => check.ok);
    if (json) output.json({ ok, checks });
    else {
      for (const { name, ok, detail } of checks) {
        const mark = ok ? output.paint("green", "ok  ") : output.paint("red", "FAIL");
        output.line(`${mark} ${name}: ${detail}`);
      }
    }
    if (!ok) endWith(EXIT.doesNotHold);
  });
};

/** Whatever an examination throws is its finding. */
const diagnose = async ({ name, examine }: Examination): Promise<Diagnosis> => {
  const [outcome] = await Promise.allSettled([Promise.resolve().then(examine)]);
  if (outcome.status === "fulfilled") return { name, ok: true, detail: outcome.value };
  const { reason } = outcome;
  return { name, ok: false, detail: firstLineOf(reason) };
};

const examinations = (config: Config, { cwd, env }: Shell): readonly Examination[] => [
  { name: "node", examine: nodeVersion },
  { name: "sqlite", examine: sqlite },
  { name: "threads", examine: threads },
  { name: "sandbox", examine: () => sandbox(config) },
  { name: "disk", examine: () => disk(cwd) },
  { name: "shipped files", examine: shippedFiles },
  { name: "embeddings", examine: () => embeddings(config) },
  { name: "model keys", examine: () => modelKeys(config, env) },
  { name: "qdrant", examine: () => qdrant(config, env) },
];

const nodeVersion = (): string => {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= NODE_MAJOR_MIN) return process.version;
  throw new UsageProblem(
    `${process.version} is too old, ${NODE_MAJOR_MIN} is needed; \`npx sim\` brings its own`,
  );
};

const sqlite = (): string => {
  const database = new DatabaseSync(":memory:");
  const found = database.prepare("select sqlite_version() as version").get();
  database.close();
  return `version ${String(found?.version)}`;
};

const threads = async (): Promise<string> => {
  const worker = new Worker('require("node:worker_threads").parentPort.postMessage("alive")', {
    eval: true,
  });
  const answer = await new Promise<unknown>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    const late = new UsageProblem(`a worker thread did not answer in ${ANSWER_MS_MAX} ms`);
    setTimeout(() => reject(late), ANSWER_MS_MAX).unref();
  });
  await worker.terminate();
  return `a worker thread is ${String(answer)}`;
};

const sandbox = async (config: Config): Promise<string> => {
  const engine = sandboxFor(physicsFor(config));
  const by = { self: "doctor", caller: "doctor", origin: "doctor" };
  const outcome = engine.run(
    {
      program: { key: "doctor", code: "function run(a, b) { return a + b }" },
      method: "run",
      inputJson: inputJsonOf({ args: [2, 3], ...by, attached: NOTHING_ATTACHED, now: 0 }),
      stateJson: "{}",
      gasMax: config.sandbox.gas_max,
      syscallsMax: 0,
      readOnly: true,
    },
    () => {
      throw new UsageProblem("a program that asks for nothing asked for something");
    },
  );
  const { engineVersion } = engine;
  await engine.close();
  if (!outcome.ok) throw new UsageProblem(`2 + 3 failed: ${outcome.code}: ${outcome.message}`);
  if (outcome.resultJson !== "5") throw new UsageProblem(`2 + 3 gave ${outcome.resultJson}`);
  return `${engineVersion} ran a program for ${outcome.gas} gas`;
};

const disk = (cwd: string): string => {
  const folder = mkdtempSync(join(cwd, ".sim-doctor-"));
  writeFileSync(join(folder, "probe"), "written by sim doctor\n", { flush: true });
  rmSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(cwd);
  return `${cwd} can be written, ${Math.floor((bavail * bsize) / 1_000_000)} MB are free`;
};

const shippedFiles = (): string => {
  const counts = [...SHIPPED_POPULATIONS].map(([name, folder]) => {
    const loaded = loadPersonas(folder, { only: [] });
    if (!loaded.ok) throw new UsageProblem(loaded.problems.map(showProblem));
    return `${loaded.personas.length} personas in ${name}`;
  });
  const programs = loadLibrary(SHIPPED.programs).length;
  return `${counts.join(", ")}, ${programs} programs in the library`;
};
