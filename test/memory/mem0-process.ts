/** Stores and searches memories through mem0. Arguments: URL, folder, telemetry. */
import { asId } from "../../src/kernel/index.ts";
import { hashedEmbedder } from "../../src/memory/embedder/hashed.ts";
import { IndexedStore } from "../../src/memory/indexed-store.ts";
import { mem0Index } from "../../src/memory/mem0/mem0-index.ts";

const [url = "", folder = "", telemetry = ""] = process.argv.slice(2);
const artifact = asId("alice");

if (telemetry === "as mem0 has it") {
  // mem0 by itself, to show that egress.ts sees its telemetry.
  const { Memory } = await import("mem0ai/oss");
  const model = { embedQuery: async () => [1], embedDocuments: async () => [[1]] };
  await new Memory({
    disableHistory: true,
    embedder: { provider: "langchain", config: { model } },
    vectorStore: { provider: "qdrant", config: { url, collectionName: "c", dimension: 1 } },
    llm: { provider: "langchain", config: { model: { invoke: () => null } } },
  }).add("text", { userId: artifact, infer: false });
} else {
  const place = { url, apiKey: null, collection: "memories", run: "a run" };
  const warn = (text: string): void => console.log(text);
  const embedder = hashedEmbedder();
  const opened = mem0Index({ place, folder, embedder: embedder.name }, warn);
  const store = new IndexedStore({ ...opened, embedder, extract: null, patienceMs: null, warn });
  for (let number = 1; number <= 40; number++) {
    store.add([
      { artifact, number, atMs: 0, kind: "action", text: `Met Bob Jones, time ${number}` },
    ]);
  }
  await store.flush();
  const recall = await store.search([artifact], "Where did I meet Bob Jones yesterday?", 5);
  await store.cutBack(new Map());
  await store.close();
  console.log(recall.ok ? `found ${recall.found.length}` : recall.problem);
}
