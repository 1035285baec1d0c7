import { basename } from "node:path";
import type { Id } from "../../kernel/index.ts";
import { checkMemoryServer, memoryServer } from "../../memory/index.ts";
import {
  type Config,
  configFrom,
  findRun,
  journalIn,
  type MemoryCounts,
  openStoredMemories,
  readRun,
  recordedIn,
  type StoredMemories,
  savedConfig,
} from "../../run/index.ts";
import { type Journal, RunLock } from "../../world/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import { addOutFlags, addRunArgument, addSetFlag, type OutFlags } from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { unlessDamaged } from "../run/open-run.ts";

type Flags = OutFlags & { readonly set: readonly string[]; readonly reindex?: true };

const SHAPE =
  "{ run, backend, store, memories, indexed, added, deleted, " +
  "artifacts: [{ artifact, memories, indexed }] }";

export const register: Register = (command, shell) => {
  addOutFlags(
    addSetFlag(
      addRunArgument(command).option(
        "--reindex",
        "put the memories of the journal that are missing into the store",
      ),
    ),
    `print one JSON document: ${SHAPE}`,
  );
  const server = "--set memory.backend=qdrant --set memory.qdrant.url=http://localhost:6333";
  withExamples(command, [
    "sim memories latest",
    "sim memories trial --reindex",
    `sim memories trial --reindex ${server}`,
  ]);
  command.action(async (run: string, flags: Flags) => {
    const folder = findRun(run, flags.out);
    const kept = { origin: `the configuration of ${basename(folder)}`, text: savedConfig(folder) };
    const { config } = configFrom({ kept, file: null, sets: flags.set, flags: [] });
    const lock = flags.reindex === true ? lockOf(folder) : null;
    const journal = journalIn(folder);
    try {
      await showMemories({ journal, folder, config, flags }, shell);
    } finally {
      journal.close();
      lock?.release();
    }
  });
};

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
  else print(document, shell);
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

const print = (shown: Shown, { output }: Shell): void => {
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
