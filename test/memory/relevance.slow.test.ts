import { expect, it } from "vitest";
import { offlineEmbedder } from "../../src/memory/embedder/embedders.ts";
import type { MemoryStore } from "../../src/memory/port/memory-store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { closing, memoriesOf, openSqlite, recalled, textsOf } from "./memories.ts";
import { otherMemories, TOPICS } from "./topics.ts";

const MEMORIES = 200;
const MOST = 7;
/** The question about debts finds lenders and borrowers only half of the time. */
const TOPICS_WELL_RECALLED = 4;
const FEWEST = 5;

/** 200 memories of alice, in which each topic is spread; bob has the questions themselves. */
const filled = (): MemoryStore => {
  const store = closing(openSqlite({ folder: temporaryFolder(), embedder: offlineEmbedder() }));
  const telling = TOPICS.flatMap(({ memories }) => memories);
  const others = otherMemories(MEMORIES - telling.length);
  const mixed = [...telling, ...others].map((text, i) => ({ text, turn: (i * 73) % MEMORIES }));
  mixed.sort((a, b) => a.turn - b.turn);
  const texts = mixed.map(({ text }) => text);
  const questions = TOPICS.map(({ question }) => question);
  store.add([...memoriesOf("alice", texts), ...memoriesOf("bob", questions)]);
  return store;
};

it("most memories that answer a question are recalled, and none of another artifact", async () => {
  const store = filled();
  const hits = new Map<string, number>();
  for (const { question, memories } of TOPICS) {
    const found = await recalled(store, { artifact: "alice", query: question, limit: 10 });
    hits.set(question, textsOf(found).filter((text) => memories.includes(text)).length);
    expect(found.every(({ artifact }) => artifact === "alice")).toBe(true);
    expect(textsOf(found)).not.toContain(question);
  }
  const most = [...hits].filter(([, count]) => count >= MOST);
  expect(most.length, JSON.stringify([...hits])).toBeGreaterThanOrEqual(TOPICS_WELL_RECALLED);
  expect(Math.min(...hits.values())).toBeGreaterThanOrEqual(FEWEST);
});
