/**
 * A thousand agents that record and recall on a Qdrant server at the same time. The server is a
 * stand-in in the same process that parses requests and answers at once, so the figures show what
 * this side costs, the JSON of both sides included.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asId } from "../src/kernel/index.ts";
import { hashedEmbedder } from "../src/memory/embedder/hashed.ts";
import { IndexedStore } from "../src/memory/indexed-store.ts";
import { qdrantIndex } from "../src/memory/qdrant/qdrant-index.ts";
import type { Figure } from "./figure.ts";

const AGENTS = 1_000;
const ROUNDS = 5;
const WRITTEN = 20_000;
const RECALLED = 5;

type Body = { readonly searches?: readonly unknown[] };

const answerTo = (path: string, { searches = [] }: Body): unknown => {
  if (path.endsWith("/query/batch")) return searches.map(() => ({ points: [] }));
  if (path.endsWith("/facet")) return { hits: [] };
  return { operation_id: 1, status: "completed" };
};

/** A server with an empty collection, and the number of requests so far. */
const startServer = async () => {
  let requests = 0;
  const vectors = { [hashedEmbedder().name]: { size: 512, distance: "Cosine" } };
  const fields = { run: {}, artifact: {}, number: {} };
  const info = { config: { params: { vectors } }, payload_schema: fields };
  const server = createServer(async (request, response) => {
    requests += 1;
    let text = "";
    for await (const chunk of request) text += chunk;
    const path = (request.url ?? "").replace(/\?.*/, "");
    const body: Body = text === "" ? {} : JSON.parse(text);
    const result = request.method === "GET" ? info : answerTo(path, body);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ time: 0, status: "ok", result }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url, close, requests: () => requests };
};

const agents = Array.from({ length: AGENTS }, (_, n) => asId(`agent_${n}_memory`));

const recordOf = (n: number, number: number) => ({
  artifact: agents[n % AGENTS] ?? asId("agent"),
  number,
  atMs: number,
  kind: "action" as const,
  text: `invoke_artifact adder_${n % 97} of agent_${n % 89}: paid ${number} scrip, result ${n}`,
});

export const figures = async (): Promise<readonly Figure[]> => {
  const server = await startServer();
  const folder = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
  const place = { url: server.url, apiKey: null, collection: "bench", run: "bench" };
  const embedder = hashedEmbedder();
  const warn = (text: string): void => console.error(text);
  const opened = qdrantIndex({ place, folder, embedder: embedder.name }, warn);
  const store = new IndexedStore({ ...opened, embedder, extract: null, patienceMs: null, warn });
  await store.cutBack(new Map());
  const before = performance.now();
  const records = Array.from({ length: WRITTEN }, (_, n) =>
    recordOf(n, 1 + Math.floor(n / AGENTS)),
  );
  store.add(records);
  await store.flush();
  const writtenMs = performance.now() - before;
  const requests = server.requests();
  const started = performance.now();
  for (let round = 1; round <= ROUNDS; round += 1) {
    await Promise.all(
      agents.map((artifact, n) => {
        store.add([recordOf(n, WRITTEN / AGENTS + round)]);
        return store.search([artifact], "what does the adder cost?", RECALLED);
      }),
    );
  }
  const thoughtsMs = performance.now() - started;
  const perThought = (server.requests() - requests) / (AGENTS * ROUNDS);
  await store.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
  const watched = { bar: null, limit: null };
  return [
    { name: "records written", value: WRITTEN / (writtenMs / 1_000), unit: "1/s", ...watched },
    {
      name: "records written and searches",
      value: (AGENTS * ROUNDS) / (thoughtsMs / 1_000),
      unit: "1/s",
      ...watched,
    },
    { name: "requests per 100 searches", value: perThought * 100, unit: "x", ...watched },
  ];
};
