import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { installedAgents } from "../../coding-agents/index.ts";
import { asId, firstLineOf, NOTHING_ATTACHED } from "../../kernel/index.ts";
import { checkMemoryServer, openMemory } from "../../memory/index.ts";
import { type Environment, keyVariables, providerProblems } from "../../model/index.ts";
import { loadLibrary } from "../../policy/index.ts";
import {
  type Config,
  loadPersonas,
  physicsFor,
  SHIPPED,
  SHIPPED_POPULATIONS,
  showProblem,
} from "../../run/index.ts";
import { counted } from "../../text/index.ts";
import { inputJsonOf, sandboxFor } from "../../world/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import { addConfigFlags, type ConfigFlags, openConfig } from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";

/** Returns a description of the result, or throws an error that explains the problem. */
type Check = () => string | Promise<string>;

type CheckResult = { readonly name: string; readonly ok: boolean; readonly detail: string };

const NODE_MAJOR_MIN = 24;
const ANSWER_MS_MAX = 5_000;

type Flags = ConfigFlags & { readonly json?: true };

export const register: Register = (command, shell) => {
  const { output, endWith } = shell;
  addConfigFlags(command).option(
    "--json",
    "print one JSON document: { ok, checks: [{ name, ok, detail }] }",
  );
  withExamples(command, ["sim doctor", "sim doctor --json"]);
  command.action(async ({ json, ...flags }: Flags) => {
    const { config } = openConfig(flags);
    const checks: CheckResult[] = [];
    for (const [name, check] of checksFor(config, shell)) checks.push(await resultOf(name, check));
    const ok = checks.every((check) => check.ok);
    if (json) output.json({ ok, checks });
    else {
      const rows = checks.map(({ name, ok, detail }) => {
        return [ok ? output.paint("green", "ok") : output.paint("red", "FAIL"), name, detail];
      });
      output.table(["result", "check", "detail"], rows);
    }
    if (!ok) endWith(EXIT.failed);
  });
};

/** Runs a check. Turns an error into a failed result. */
const resultOf = async (name: string, check: Check): Promise<CheckResult> => {
  const [outcome] = await Promise.allSettled([Promise.resolve().then(check)]);
  if (outcome.status === "fulfilled") return { name, ok: true, detail: outcome.value };
  return { name, ok: false, detail: firstLineOf(outcome.reason) };
};

type NamedCheck = readonly [name: string, check: Check];

const checksFor = (config: Config, { cwd, env }: Shell): readonly NamedCheck[] => [
  ["node", nodeVersion],
  ["sqlite", sqlite],
  ["threads", threads],
  ["sandbox", () => sandbox(config)],
  ["disk", () => disk(cwd)],
  ["shipped files", shippedFiles],
  ["embeddings", () => embeddings(config)],
  ["model keys", () => modelKeys(config, env)],
  ["qdrant", () => qdrant(config, env)],
  ["coding agents", () => codingAgents(env)],
];

const nodeVersion = (): string => {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= NODE_MAJOR_MIN) return process.version;
  const need = `version ${NODE_MAJOR_MIN} or newer is needed`;
  throw new CliError(
    `${process.version} is too old; ${need}. \`npx sim\` uses the Node that npm installed`,
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
    const late = new CliError(`a worker thread did not answer within ${ANSWER_MS_MAX} ms`);
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
    },
    () => {
      throw new CliError("a program without syscalls made one");
    },
  );
  const { engineVersion } = engine;
  await engine.close();
  if (!outcome.ok) throw new CliError(`2 + 3 failed: ${outcome.code}: ${outcome.message}`);
  if (outcome.resultJson !== "5") throw new CliError(`2 + 3 gave ${outcome.resultJson}`);
  return `${engineVersion} ran a program for ${outcome.gas} gas`;
};

const disk = (cwd: string): string => {
  const folder = mkdtempSync(join(cwd, ".sim-doctor-"));
  writeFileSync(join(folder, "probe"), "written by sim doctor\n", { flush: true });
  rmSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(cwd);
  return `${cwd} is writable, ${Math.floor((bavail * bsize) / 1_000_000)} MB free`;
};

const shippedFiles = (): string => {
  const counts = [...SHIPPED_POPULATIONS].map(([name, folder]) => {
    const loaded = loadPersonas({ dirs: [folder], seed: 1, only: [] });
    if (!loaded.ok) throw new CliError(loaded.problems.map(showProblem));
    return `${counted(loaded.personas.length, "persona")} in ${name}`;
  });
  const programs = loadLibrary(SHIPPED.programs).length;
  return `${counts.join(", ")}, ${counted(programs, "program")} in the library`;
};

const STORED = "Agent doctor performed write_artifact: a price list for bread (it succeeded)";
const QUERY = "what did I say about the cost of a loaf?";

export const embeddings = async (config: Config): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "sim-doctor-"));
  const warnings: string[] = [];
  const memory = openMemory({
    settings: { ...config.memory, backend: "index", embedder: "offline", infer: false },
    env: {},
    folder,
    run: { id: "doctor", startedAt: new Date(0) },
    model: { ask: () => Promise.reject(new CliError("doctor calls no provider")) },
    inference: { model: "", reasoning: null },
    warn: (text) => warnings.push(text),
  });
  const store = memory?.store;
  const artifact = asId("doctor");
  store?.add([{ artifact, number: 1, atMs: 0, kind: "action", text: STORED }]);
  const recall = await store?.search([artifact], QUERY, 1);
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
  const problem = warnings[0] ?? (recall?.ok === false ? recall.problem : undefined);
  if (problem !== undefined) throw new CliError(problem);
  const [found] = recall?.ok === true ? recall.found : [];
  if (found === undefined) throw new CliError("a memory that was just stored is not found");
  return `a stored memory was found by its meaning, similarity ${found.similarity.toFixed(2)}`;
};

/** The names of the API key variables that are set. Never includes their values. */
export const modelKeys = ({ llm }: Config, env: Environment): string => {
  const providers = keyVariables(llm.providers);
  const isSet = (name: string): boolean => (env[name] ?? "").trim() !== "";
  const withKey = providers.filter(({ variable }) => isSet(variable));
  const problems = withKey.flatMap(({ provider, variable }) =>
    providerProblems([`${provider}/any`], llm.providers, env).filter((problem) =>
      problem.includes(variable),
    ),
  );
  if (problems.length > 0) throw new CliError(problems.join("; "));
  const names = providers.map(({ variable }) => variable);
  const present = names.filter(isSet);
  const absent = names.filter((name) => !isSet(name));
  return [
    ...(present.length > 0 ? [`set: ${present.join(", ")}`] : []),
    ...(absent.length > 0 ? [`not set: ${absent.join(", ")}`] : []),
    "`--model mock` needs no key",
  ].join("; ");
};

export const qdrant = async ({ memory }: Config, env: Environment): Promise<string> => {
  const check = await checkMemoryServer(memory, env);
  if (check === null) return `not used: memory.backend is ${memory.backend}`;
  if (!check.ok) throw new CliError(check.detail);
  return check.detail;
};

/** None is needed. */
const codingAgents = async (env: Environment): Promise<string> =>
  (await installedAgents(env))
    .map(({ provider, version }) => `${provider}: ${version ?? "not installed"}`)
    .join("; ");
