import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { installedAgents } from "../../coding-agents/index.ts";
import { asId, firstLineOf, type Id, NOTHING_ATTACHED } from "../../kernel/index.ts";
import { checkMemoryServer, memoryServer, openMemory } from "../../memory/index.ts";
import { type Environment, keyVariables, providerProblems } from "../../model/index.ts";
import { loadLibrary } from "../../policy/index.ts";
import {
  type Config,
  configFrom,
  findRun,
  journalIn,
  keptConfig,
  loadPersonas,
  type MemoryCounts,
  openStoredMemories,
  physicsFor,
  RUNS_FOLDER,
  readRun,
  recordedIn,
  SHIPPED,
  SHIPPED_POPULATIONS,
  type StoredMemories,
  showProblem,
} from "../../run/index.ts";
import { counted } from "../../text/index.ts";
import { inputJsonOf, type Journal, RunLock, sandboxFor } from "../../world/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import { addConfigFlags, type ConfigFlags, openConfig, path, RUN_HELP } from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { unlessDamaged } from "../run/open-run.ts";

/** Returns a description of the result, or throws an error that explains the problem. */
type Check = () => string | Promise<string>;

type CheckResult = { readonly name: string; readonly ok: boolean; readonly detail: string };

const NODE_MAJOR_MIN = 24;

type Flags = ConfigFlags & { readonly json?: true; readonly out: string; readonly reindex?: true };

const CHECKS_SHAPE = "{ ok, checks: [{ name, ok, detail }] }";
const MEMORIES_SHAPE =
  "{ run, backend, store, memories, indexed, added, deleted, " +
  "artifacts: [{ artifact, memories, indexed }] }";

export const register: Register = (command, shell) => {
  addConfigFlags(
    command.argument("[run]", `count the memories of this run and its store: ${RUN_HELP}`),
  )
    .option("--reindex", "put the memories of the run that are missing into its store")
    .option("--out <dir>", "folder that holds all runs", path, RUNS_FOLDER)
    .option("--json", `print one JSON document: ${CHECKS_SHAPE}; with a run: ${MEMORIES_SHAPE}`);
  const server = "--set memory.backend=qdrant --set memory.qdrant.url=http://localhost:6333";
  withExamples(command, [
    "sim doctor",
    "sim doctor --json",
    "sim doctor latest",
    "sim doctor trial --reindex",
    `sim doctor trial --reindex ${server}`,
  ]);
  command.action((run: string | undefined, flags: Flags) =>
    run === undefined ? checkMachine(flags, shell) : checkMemories(run, flags, shell),
  );
};

const checkMachine = async ({ json, reindex, ...flags }: Flags, shell: Shell): Promise<void> => {
  if (reindex === true) throw new CliError("--reindex needs a run, such as latest");
  const { output, endWith } = shell;
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
};

const checkMemories = async (run: string, flags: Flags, shell: Shell): Promise<void> => {
  if (flags.config !== undefined) {
    throw new CliError("a run has its own configuration; omit --config, and change it with --set");
  }
  const folder = findRun(run, flags.out);
  const kept = keptConfig(folder, shell.env);
  const { config } = configFrom({ kept, file: null, sets: flags.set, flags: [] });
  const lock = flags.reindex === true ? lockOf(folder) : null;
  const journal = journalIn(folder);
  try {
    await showMemories({ journal, folder, config, flags }, shell);
  } finally {
    journal.close();
    lock?.release();
  }
};

/** Runs a check. Turns an error into a failed result. */
const resultOf = async (name: string, check: Check): Promise<CheckResult> => {
  try {
    return { name, ok: true, detail: await check() };
  } catch (error) {
    return { name, ok: false, detail: firstLineOf(error) };
  }
};

type NamedCheck = readonly [name: string, check: Check];

const checksFor = (config: Config, { cwd, env }: Shell): readonly NamedCheck[] => [
  ["node", nodeVersion],
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
    providerProblems([`${provider}/any`], llm.providers, env).filter(
      ({ keyVariable }) => keyVariable === variable,
    ),
  );
  if (problems.length > 0) throw new CliError(problems.map(({ text }) => text).join("; "));
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

/** @throws CliError for a live run, which changes the store by itself. */
const lockOf = (folder: string): RunLock => {
  const taken = RunLock.take(folder);
  if (!taken.ok) throw new CliError(`${folder}: ${taken.problem}`);
  return taken.lock;
};

type Asked = {
  readonly journal: Journal;
  readonly folder: string;
  readonly config: Config;
  readonly flags: Flags;
};

const showMemories = async (asked: Asked, shell: Shell): Promise<void> => {
  const { journal, folder, config, flags } = asked;
  const recorded = unlessDamaged([journal], () => recordedIn(journal));
  const stored = await openStore(asked, shell);
  const { backend } = config.memory;
  if (stored === null && flags.reindex === true) {
    const why = `memory.backend is ${backend}, which has no store`;
    throw new CliError(`${why}; add --set memory.backend=index, qdrant or mem0`);
  }
  const change = stored === null ? NO_CHANGE : await changeOf(stored, flags.reindex === true);
  const { indexed } = change;
  const ids = [...new Set([...recorded.keys(), ...(indexed?.keys() ?? [])])].toSorted();
  const artifacts = ids.map((artifact) => ({
    artifact,
    memories: recorded.get(artifact) ?? 0,
    indexed: indexed === null ? null : (indexed.get(artifact) ?? 0),
  }));
  const store = stored === null ? null : (memoryServer(config.memory) ?? "memory.db");
  const sums = { memories: sum(recorded), indexed: indexed === null ? null : sum(indexed) };
  const { added, deleted } = change;
  const document = { run: basename(folder), backend, store, ...sums, added, deleted, artifacts };
  if (flags.json === true) shell.output.json(document);
  else printMemories(document, shell);
};

/** Opens the store after a check of its server. @throws CliError if the server cannot be used. */
const openStore = async (
  { journal, folder, config }: Asked,
  { env, output }: Shell,
): Promise<StoredMemories | null> => {
  const check = await checkMemoryServer(config.memory, env);
  if (check?.ok === false) {
    throw new CliError(check.detail, check.isDown ? EXIT.couldNotRun : EXIT.wrongUsage);
  }
  const read = readRun(folder);
  if (!read.ok) throw new CliError(read.problem, EXIT.couldNotRun);
  const run = { id: basename(folder), startedAt: new Date(read.record.started_at) };
  const warn = (text: string): void => output.note(`note: ${text}`);
  return openStoredMemories(journal, { folder, run, config, env, warn });
};

const NO_CHANGE = { indexed: null, added: 0, deleted: 0 };

/** Reindexes the store if asked, and counts. Closes the store. */
const changeOf = async (stored: StoredMemories, reindexes: boolean) => {
  try {
    const before = await countsIn(stored);
    if (reindexes) {
      const problem = await stored.reindex();
      if (problem !== null) throw new CliError(problem, EXIT.couldNotRun);
    }
    const indexed = await countsIn(stored);
    return { indexed, added: excess(indexed, before), deleted: excess(before, indexed) };
  } finally {
    await stored.close();
  }
};

const countsIn = async (stored: StoredMemories): Promise<MemoryCounts> => {
  const read = await stored.counts();
  if (!read.ok) throw new CliError(read.problem, EXIT.couldNotRun);
  return read.counts;
};

const sum = (counts: MemoryCounts): number => [...counts.values()].reduce((a, b) => a + b, 0);

/** How many memories `counts` has that `others` lacks. */
const excess = (counts: MemoryCounts, others: MemoryCounts): number =>
  sum(new Map([...counts].map(([id, n]) => [id, Math.max(0, n - (others.get(id) ?? 0))])));

type Shown = {
  readonly store: string | null;
  readonly backend: string;
  readonly memories: number;
  readonly indexed: number | null;
  readonly added: number;
  readonly deleted: number;
  readonly artifacts: readonly {
    readonly artifact: Id;
    readonly memories: number;
    readonly indexed: number | null;
  }[];
};

const printMemories = (shown: Shown, { output }: Shell): void => {
  const { artifacts, memories, store, backend, indexed, added, deleted } = shown;
  const rows = artifacts.map((each) => [
    each.artifact,
    String(each.memories),
    String(each.indexed ?? "-"),
  ]);
  if (rows.length > 0) output.table(["artifact", "memories", "indexed"], rows);
  const inJournal = `${memories === 1 ? "1 memory" : `${memories} memories`} in the journal`;
  const inStore =
    store === null ? `no store (memory.backend: ${backend})` : `${indexed} in ${store}`;
  output.line(`${inJournal}, ${inStore}`);
  if (added > 0) output.line(`added ${added}`);
  if (deleted > 0) output.line(`deleted ${deleted}`);
};
