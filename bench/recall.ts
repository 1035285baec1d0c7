/**
 * What comes to the mind of an agent of many memories, in an index of many more that are others'.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asId, type Id } from "../src/kernel/index.ts";
import { hashedEmbedder, hashedVector } from "../src/memory/embedder/hashed.ts";
import { IndexedStore } from "../src/memory/indexed-store.ts";
import { relevantMemories, storeMemory } from "../src/memory/port/agent-memory.ts";
import type { IndexedRecord } from "../src/memory/port/memory-store.ts";
import { dot } from "../src/memory/port/vector.ts";
import { IndexFile } from "../src/memory/sqlite/index-file.ts";
import { indexPath, sqliteIndex } from "../src/memory/sqlite/sqlite-index.ts";
import type { Figure } from "./figure.ts";
import { median } from "./stopwatch.ts";

const OWN = 10_000;
const ALL = 1_000_000;
const OTHERS = 990;
const RECALLED = 5;
const ROUNDS = 30;
const BATCH = 5_000;
/** Different memories; to make a vector for each takes longer than all the rest. */
const TEXTS = 2_000;

const me = asId("agent_me");

const vectors = Array.from({ length: TEXTS }, (_, n) => hashedVector(tellingText(n)));

function tellingText(n: number): string {
  const goods = ["adder", "sorter", "parser", "note", "auction", "escrow", "loan"];
  const good = goods[n % goods.length];
  return `invoke_artifact ${good}_${n % 97} of agent_${n % 89}: paid ${n % 41} scrip, result ${n}`;
}

const recordOf = (artifact: Id, number: number, n: number): IndexedRecord => ({
  record: { artifact, number, atMs: n, kind: "action", text: tellingText(n % TEXTS) },
  vector: vectors[n % TEXTS] ?? null,
});

/** Memories of all come one after the other, as in a run; those of one lie far apart. */
const fill = (folder: string): void => {
  const index = new IndexFile(indexPath(folder), { embedder: hashedEmbedder().name, run: "bench" });
  const ids = Array.from({ length: OTHERS }, (_, n) => asId(`agent_${n}`));
  const every = Math.floor(ALL / OWN);
  let [own, others] = [0, 0];
  let batch: IndexedRecord[] = [];
  for (let n = 0; n < ALL; n++) {
    if (n % every === 0) {
      own += 1;
      batch.push(recordOf(me, own, own));
    } else {
      batch.push(recordOf(ids[others % OTHERS] ?? me, 1 + Math.floor(others / OTHERS), n));
      others += 1;
    }
    if (batch.length < BATCH) continue;
    index.put(batch);
    batch = [];
  }
  index.put(batch);
  index.flush();
  index.close();
};

/** What the arithmetic alone takes: the similarity of one vector to each of an agent's, in ms. */
const scanMs = (): number => {
  const own = Array.from({ length: OWN }, (_, n) => Float32Array.from(vectors[n % TEXTS] ?? []));
  const query = hashedVector("what does the adder cost?");
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    let best = 0;
    for (const vector of own) best = Math.max(best, dot(query, vector));
    return performance.now() - startedAt;
  });
  return median(times);
};

type RecallTimes = {
  readonly wallMs: number;
  readonly mainMs: number;
  /** Of another agent, whose memories have not been read before. */
  readonly firstMs: number;
};

const recallTimes = async (folder: string): Promise<RecallTimes> => {
  const embedder = hashedEmbedder();
  const warn = (text: string): void => console.error(text);
  const opened = sqliteIndex({ run: "bench", folder, embedder: embedder.name }, warn);
  const store = new IndexedStore({ ...opened, embedder, extract: null, patienceMs: null, warn });
  const memory = storeMemory(store);
  const recall = async (agent: Id, n: number): Promise<void> => {
    const about = { limit: RECALLED, nowMs: 0, memories: [{ id: agent, text: "" }] };
    const query = { ...about, text: tellingText(n * 7 + 3) };
    const found = await relevantMemories(memory, query, new Set());
    if (found.length === 0) throw new Error(`${agent} recalls nothing`);
  };
  const [walls, mains, firsts]: [number[], number[], number[]] = [[], [], []];
  for (let n = 0; n < ROUNDS; n++) {
    // Another agent recalls first, as in a run: it reads from disk, the next one from the cache.
    const firstAt = performance.now();
    await recall(asId(`agent_${n}`), n);
    const [startedAt, before] = [performance.now(), process.threadCpuUsage()];
    firsts.push(startedAt - firstAt);
    await recall(me, n);
    walls.push(performance.now() - startedAt);
    const { user, system } = process.threadCpuUsage(before);
    mains.push((user + system) / 1e3);
  }
  await store.close();
  const mainMs = mains.reduce((a, b) => a + b, 0) / mains.length;
  return { wallMs: median(walls), mainMs, firstMs: median(firsts) };
};

export const figures = async (): Promise<readonly Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  fill(folder);
  const limit = { name: "dot products with all of its own", value: scanMs() };
  const { wallMs, mainMs, firstMs } = await recallTimes(folder);
  rmSync(folder, { recursive: true });
  return [
    { name: "recall", value: wallMs, unit: "ms", bar: 10, limit },
    { name: "first recall of 1,000", value: firstMs, unit: "ms", bar: null, limit: null },
    { name: "main thread", value: mainMs, unit: "ms", bar: 2, limit: null },
  ];
};
