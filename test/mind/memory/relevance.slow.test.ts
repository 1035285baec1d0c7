import { expect, it } from "vitest";
import { offlineEmbedder } from "../../../src/mind/memory/embedder/embedders.ts";
import type { MemoryStore } from "../../../src/mind/memory/memory-store.ts";
import { memoriesOf, newFolder, recalled, sqliteStore, textsOf } from "./memories.ts";
import { otherMemories, TOPICS } from "./topics.ts";

const MEMORIES = 200;
const MOST = 7;
/** Whoever asks who owes him finds the lent and the borrowed only half of the time. */
const TOPICS_WELL_RECALLED = 4;
const FEWEST = 5;

/** 200 memories of alice, those of a topic spread among them; bob has the questions themselves. */
const filled = (): MemoryStore => {
  const store = sqliteStore(newFolder(), { embedder: offlineEmbedder() });
  const telling = TOPICS.flatMap(({ memories }) => memories);
  const others = otherMemories(MEMORIES - telling.length);
  const mixed = [...telling, ...others].map((text, i) => ({ text, turn: (i * 73) % MEMORIES }));
  mixed.sort((a, b) => a.turn - b.turn);
  store.add(
    memoriesOf(
      "alice",
      mixed.map(({ text }) => text),
    ),
  );
  store.add(
    memoriesOf(
      "bob",
      TOPICS.map(({ question }) => question),
    ),
  );
  return store;
};

it("recalls by meaning most of what bears on a question, and nothing of others", async () => {
  const store = filled();
  const hits = new Map<string, number>();
  for (const { question, memories } of TOPICS) {
    const found = await recalled(store, { agent: "alice", query: question, limit: 10 });
    hits.set(question, textsOf(found).filter((text) => memories.includes(text)).length);
    expect(found.every(({ agent }) => agent === "alice")).toBe(true);
    expect(textsOf(found)).not.toContain(question);
  }
  const most = [...hits].filter(([, count]) => count >= MOST);
  expect(most.length, JSON.stringify([...hits])).toBeGreaterThanOrEqual(TOPICS_WELL_RECALLED);
  expect(Math.min(...hits.values())).toBeGreaterThanOrEqual(FEWEST);
});
