/** Remembers and recalls through mem0 in a process of its own; told the URL and a folder. */
import { asId } from "../../../src/kernel/index.ts";
import { hashedEmbedder } from "../../../src/mind/memory/embedder/hashed.ts";
import { mem0Store } from "../../../src/mind/memory/mem0-store.ts";

const [url = "", folder = "", telemetry = ""] = process.argv.slice(2);
const agent = asId("alice");

if (telemetry === "as mem0 has it") {
  // What mem0 does when nobody stops it: the proof that the watch sees it.
  const { Memory } = await import("mem0ai/oss");
  const model = { embedQuery: async () => [1], embedDocuments: async () => [[1]] };
  const memory = new Memory({
    disableHistory: true,
    embedder: { provider: "langchain", config: { model } },
    vectorStore: { provider: "qdrant", config: { url, collectionName: "c", dimension: 1 } },
    llm: { provider: "langchain", config: { model: { invoke: () => null } } },
  });
  await memory.add("text", { userId: agent, infer: false });
} else {
  const store = mem0Store({
    place: { url, apiKey: null, collection: "memories", run: "a run" },
    folder,
    embedder: hashedEmbedder(),
    caches: false,
    distil: null,
    patienceMs: null,
    warn: (text) => console.log(text),
  });
  for (let number = 1; number <= 40; number++) {
    store.add([{ agent, number, atMs: 0, kind: "action", text: `Met Bob Jones, time ${number}` }]);
  }
  await store.flush();
  const recall = await store.search(agent, "Where did I meet Bob Jones yesterday?", 5);
  await store.cutBack(new Map());
  await store.close();
  console.log(recall.ok ? `found ${recall.found.length}` : recall.problem);
}
