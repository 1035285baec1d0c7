import { afterAll, beforeAll, describe } from "vitest";
import { offlineEmbedder } from "../../../src/mind/memory/embedder/embedders.ts";
import { QdrantServer } from "../../support/qdrant-server/qdrant-server.ts";
import { newFolder, openMem0, openSqlite } from "./memories.ts";
import { storeContract } from "./store-contract.ts";

describe("a store in a file, by spelling", () => {
  const folder = newFolder(afterAll);
  storeContract(() => openSqlite({ folder }));
});

describe("a store in a file, by meaning", () => {
  const folder = newFolder(afterAll);
  const offline = offlineEmbedder();
  afterAll(() => offline.close());
  // The model is loaded once.
  const embedder = { ...offline, close: async () => {} };
  storeContract(() => openSqlite({ folder, embedder }));
});

describe("a store of mem0 on Qdrant", () => {
  const server = new QdrantServer();
  const folder = newFolder(afterAll);
  beforeAll(async () => void (await server.start()));
  afterAll(() => server.stop());
  storeContract(() => openMem0({ url: server.url, folder }));
});
