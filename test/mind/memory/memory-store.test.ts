import { expect, onTestFinished } from "vitest";
import { embeddedStore } from "../../../src/mind/memory/embedded-store.ts";
import { hashedEmbedder } from "../../../src/mind/memory/embedder/hashed.ts";
import { offlineEmbedder } from "../../../src/mind/memory/embedder/offline.ts";
import { mem0Store } from "../../../src/mind/memory/mem0-store.ts";
import { QdrantServer } from "../../support/qdrant-server/qdrant-server.ts";
import { newFolder } from "./memories.ts";
import { storeContract } from "./store-contract.ts";

/** No test of the contract gives reason to warn. */
const warn = (text: string): void => expect.fail(`warned: ${text}`);
const distil = null;

storeContract("embedded, by spelling", () => {
  const folder = newFolder();
  const caches = false;
  return {
    open: () =>
      embeddedStore({
        folder,
        run: "run",
        embedder: hashedEmbedder(),
        caches,
        distil,
        patienceMs: null,
        warn,
      }),
  };
});

storeContract("embedded, by meaning", () => {
  const folder = newFolder();
  const caches = true;
  return {
    open: () =>
      embeddedStore({
        run: "run",
        folder,
        embedder: offlineEmbedder(),
        caches,
        distil,
        patienceMs: null,
        warn,
      }),
  };
});

storeContract("mem0 over Qdrant", async () => {
  const server = await new QdrantServer().start();
  onTestFinished(() => server.stop());
  const folder = newFolder();
  const place = { url: server.url, apiKey: null, collection: "memories", run: "a run" };
  const caches = false;
  return {
    open: () =>
      mem0Store({
        place,
        folder,
        embedder: hashedEmbedder(),
        caches,
        distil,
        patienceMs: null,
        warn,
      }),
  };
});
