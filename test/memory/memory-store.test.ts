import { afterAll, beforeAll, describe } from "vitest";
import { offlineEmbedder } from "../../src/memory/embedder/embedders.ts";
import { QdrantServer } from "../support/qdrant-server/qdrant-server.ts";
import { sharedFolder } from "../support/temporary-folder.ts";
import { openMem0, openQdrant, openSqlite } from "./memories.ts";
import { storeContract } from "./store-contract.ts";

describe("a store in a file, by spelling", () => {
  const folder = sharedFolder();
  storeContract(() => openSqlite({ folder }));
});

describe("a store in a file, by meaning", () => {
  const folder = sharedFolder();
  const offline = offlineEmbedder();
  afterAll(() => offline.close());
  // The model is loaded once.
  const embedder = { ...offline, close: async () => {} };
  storeContract(() => openSqlite({ folder, embedder }));
});

describe("a store on Qdrant", () => {
  const server = new QdrantServer();
  const folder = sharedFolder();
  beforeAll(async () => void (await server.start()));
  afterAll(() => server.stop());
  storeContract(() => openQdrant({ url: server.url, folder }));
});

describe("a store of mem0 on Qdrant", () => {
  const server = new QdrantServer();
  const folder = sharedFolder();
  beforeAll(async () => void (await server.start()));
  afterAll(() => server.stop());
  storeContract(() => openMem0({ url: server.url, folder }));
});
