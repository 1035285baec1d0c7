import { onTestFinished } from "vitest";
import { offlineEmbedder } from "../../../src/mind/memory/embedder/embedders.ts";
import { hashedEmbedder } from "../../../src/mind/memory/embedder/hashed.ts";
import { IndexedStore } from "../../../src/mind/memory/indexed-store.ts";
import { mem0Index } from "../../../src/mind/memory/mem0/mem0-index.ts";
import { QdrantServer } from "../../support/qdrant-server/qdrant-server.ts";
import { newFolder, sqliteStore, failOnWarning as warn } from "./memories.ts";
import { storeContract } from "./store-contract.ts";

storeContract("a file, by spelling", () => {
  const folder = newFolder();
  return { open: () => sqliteStore(folder) };
});

storeContract("a file, by meaning", () => {
  const folder = newFolder();
  return { open: () => sqliteStore(folder, { embedder: offlineEmbedder() }) };
});

storeContract("mem0 over Qdrant", async () => {
  const server = await new QdrantServer().start();
  onTestFinished(() => server.stop());
  const folder = newFolder();
  const place = { url: server.url, apiKey: null, collection: "memories", run: "a run" };
  const embedder = hashedEmbedder();
  return {
    open: () => {
      const opened = mem0Index({ place, folder, embedder: embedder.name }, warn);
      return new IndexedStore({ ...opened, embedder, extract: null, patienceMs: null, warn });
    },
  };
});
