import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { hashedEmbedder } from "../../src/memory/embedder/hashed.ts";
import type { MemoryRecord } from "../../src/memory/port/memory-store.ts";
import type { Time } from "../../src/model/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import {
  ALICE,
  closing,
  collectionOf,
  memoriesOf,
  memory,
  numbersOf,
  openQdrant,
  recalled,
  sortedNumbersOf,
  startedQdrant,
  textsOf,
  upTo,
} from "./memories.ts";

type Options = Partial<Parameters<typeof openQdrant>[0]>;

const bench = async () => {
  const server = await startedQdrant();
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const folder = temporaryFolder();
  const open = (options: Options = {}) =>
    closing(openQdrant({ url: server.url, folder, warn, ...options }));
  return { server, warnings, open };
};

/** Time in which each timer is due at once. `waits` has the delays in ms. */
const hasty = (): { readonly time: Time; readonly waits: number[] } => {
  const waits: number[] = [];
  const after: Time["after"] = (delayMs, call) => {
    waits.push(delayMs);
    const timer = setImmediate(call);
    return () => clearImmediate(timer);
  };
  return { time: { now: () => 0, wallMs: () => 0, after }, waits };
};

const TEXTS = ["sold grain to bob", "bought an oracle", "lost an auction"];
const AUCTION = { artifact: "alice", query: "lost an auction" };

describe("the requests of a store to Qdrant", () => {
  it("name the run and the artifacts, and carry the key", async () => {
    const { server, warnings, open } = await bench();
    const store = open({ apiKey: "secret-key", run: "trial@2030" });
    store.add([...memoriesOf("alice", TEXTS), ...memoriesOf("bob", TEXTS)]);
    await store.flush();
    await store.search([ALICE, asId("bob")], "auction", 2);
    await store.cutBack(new Map([[ALICE, 1]]));

    expect(new Set(server.seen.map(({ apiKey }) => apiKey))).toEqual(new Set(["secret-key"]));
    const collection = server.collections.get("memories") ?? expect.fail("no collection");
    const tenant = { type: "keyword", is_tenant: true };
    expect([...collection.indexes]).toEqual([
      ["run", tenant],
      ["artifact", "keyword"],
      ["number", "integer"],
    ]);
    const ofRun = { key: "run", match: { value: "trial@2030" } };
    const [search] = server.requests("POST", "/points/query/batch");
    expect(search?.body.searches).toMatchObject([
      {
        using: hashedEmbedder().name,
        params: { exact: true },
        filter: { must: [ofRun, { key: "artifact", match: { any: ["alice", "bob"] } }] },
      },
    ]);
    const deletions = server.requests("POST", "/points/delete");
    expect(deletions).toHaveLength(2);
    for (const { body } of deletions) expect(body.filter.must).toEqual([ofRun]);
    const payload = {
      run: "trial@2030",
      artifact: "alice",
      number: 1,
      at_ms: 1000,
      kind: "action",
    };
    expect(server.points("memories").map((point) => point.payload)).toEqual([
      { ...payload, text: TEXTS[0] },
    ]);
    expect(warnings).toEqual([]);
  });

  it("do not follow redirects", async () => {
    const [{ server, open }, other] = [await bench(), await startedQdrant()];
    server.redirectTo = other.url;
    expect((await open({ apiKey: "secret-key" }).search([ALICE], "?", 1)).ok).toBe(false);
    expect(server.seen).toHaveLength(1);
    expect(other.seen).toEqual([]);
  });

  it("of a thousand agents at once are joined, within limits", async () => {
    const { server, warnings, open } = await bench();
    const store = open();
    const agents = upTo(1_000).map((number) => `agent${number}`);
    for (const agent of agents) store.add(memoriesOf(agent, [`${agent} sold grain`]));
    const found = await Promise.all(
      agents.map((artifact) => recalled(store, { artifact, query: "grain" })),
    );
    expect(found.map(textsOf)).toEqual(agents.map((agent) => [`${agent} sold grain`]));
    expect(server.requests("PUT", "/points").length).toBeLessThan(100);
    expect(server.requests("POST", "/query/batch").length).toBeLessThan(200);
    for (const { body } of server.requests("PUT", "/points")) {
      expect(body.points.length).toBeLessThanOrEqual(128);
    }
    expect(server.requestsMax).toBeLessThanOrEqual(12);
    expect(warnings).toEqual([]);
  });

  it("are split if a strict server takes fewer points at once, or if texts are long", async () => {
    const { server, warnings, open } = await bench();
    server.upsertMax = 5;
    const store = open();
    for (const agent of ["alice", "bob", "carol"]) {
      store.add(
        memoriesOf(
          agent,
          upTo(16).map((number) => `task ${number}`),
        ),
      );
    }
    store.add(
      memoriesOf(
        "dave",
        upTo(4).map((number) => `${number}`.repeat(1_500_000)),
      ),
    );
    await store.flush();
    expect(server.points("memories")).toHaveLength(52);
    const bytes = server.requests("PUT", "/points").map(({ body }) => JSON.stringify(body).length);
    expect(Math.max(...bytes)).toBeLessThan(6_000_000);
    expect(warnings).toEqual([]);
  });
});

describe("runs that share a collection", () => {
  const RUNS = ["one", "two"];
  const NAMES = ["alice", "bob", "alice_memory"];
  const added = fc.record({
    run: fc.constantFrom(...RUNS),
    artifact: fc.constantFrom(...NAMES),
    count: fc.integer({ min: 1, max: 40 }),
  });

  it("see exactly their own memories, artifact by artifact, also after cuts", async () => {
    const { server, open } = await bench();
    await fc.assert(
      fc.asyncProperty(fc.array(added, { maxLength: 6 }), added, async (adds, cut) => {
        server.collections.clear();
        const stores = new Map(RUNS.map((run) => [run, open({ run })]));
        const counts = new Map<string, number>();
        for (const { run, artifact, count } of adds) {
          counts.set(`${run} ${artifact}`, count);
          const records = upTo(count).map((number) => memory(artifact, number, `of ${run}`));
          stores.get(run)?.add(records);
          await stores.get(run)?.flush();
          await stores
            .get(run)
            ?.cutBack(
              new Map(NAMES.map((name) => [asId(name), counts.get(`${run} ${name}`) ?? 0])),
            );
        }
        await stores.get(cut.run)?.cutBack(new Map([[asId(cut.artifact), cut.count]]));
        for (const [run, store] of stores) {
          for (const artifact of NAMES) {
            const had = counts.get(`${run} ${artifact}`) ?? 0;
            const kept =
              run !== cut.run ? had : artifact === cut.artifact ? Math.min(had, cut.count) : 0;
            const found = await recalled(store, { artifact, query: "of one", limit: 99 });
            expect(sortedNumbersOf(found)).toEqual(upTo(kept));
            expect(found.every(({ text }) => text === `of ${run}`)).toBe(true);
          }
          await store.flush();
          const read = await store.counts();
          const sum = read.ok ? [...read.counts.values()].reduce((a, b) => a + b, 0) : -1;
          const own = server.points("memories").filter(({ payload }) => payload.run === run);
          expect(sum).toBe(own.length);
        }
      }),
      { numRuns: 12 },
    );
  });

  it("of another embedder or vector length get one warning that says the cure", async () => {
    const { server, warnings, open } = await bench();
    const cure = "set memory.qdrant.collection to another name";
    const where = `the collection memories at ${server.url}`;
    const hashed = hashedEmbedder();
    const use = async (embedder = hashed): Promise<void> => {
      const store = open({ embedder });
      store.add(memoriesOf("alice", TEXTS));
      expect(await store.search([ALICE], "grain", 1)).toMatchObject({ ok: embedder === hashed });
    };
    await use();
    await use({ ...hashed, name: "openai/small" });
    const short = async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 0));
    await use({ ...hashed, bySpelling: false, embed: short });
    server.collections.clear();
    await collectionOf(server, { size: 4, distance: "Cosine" });
    await use({ ...hashed, name: "openai/small" });
    const problem = "agents cannot recall memories for now: ";
    const lengths = `vectors of 512 numbers, but ${hashed.name} makes 2`;
    expect(warnings).toEqual([
      `${problem}${where} has vectors of the embedder ${hashed.name}, not of openai/small; ${cure}`,
      `${problem}${where} has ${lengths}; ${cure}`,
      `${problem}${where} has vectors of mem0 or another program; ${cure}`,
    ]);
  });
});

it("finds the newest of many equal memories", async () => {
  const { open } = await bench();
  const store = open();
  store.add(upTo(300).map((number) => memory("alice", number, "waited")));
  const asked = { artifact: "alice", query: "waited", limit: 3 };
  expect(numbersOf(await recalled(store, asked))).toEqual([300, 299, 298]);
});

describe("a server with faults", () => {
  it("is asked again if it is busy or breaks the connection, later each time", async () => {
    const { server, warnings, open } = await bench();
    const { time, waits } = hasty();
    const store = open({ time });
    store.add(memoriesOf("alice", TEXTS));
    server.faults.push({ status: 503 }, { status: 429, retryAfterS: 2 }, "broken connection");
    expect(numbersOf(await recalled(store, { ...AUCTION, limit: 1 }))).toEqual([3]);
    expect(waits).toEqual([200, 2_000, 800]);
    expect(server.points("memories")).toHaveLength(3);
    expect(warnings).toEqual([]);
  });

  it("fails a search after four busy answers, and at once for other errors", async () => {
    const { server, warnings, open } = await bench();
    const { time, waits } = hasty();
    const store = open({ time });
    server.faults.push(...upTo(4).map(() => ({ status: 429, retryAfterS: 9 })));
    expect(await store.search([ALICE], "grain", 1)).toMatchObject({ ok: false });
    expect(waits).toEqual([3_000, 3_000, 3_000]);
    server.faults.push({ status: 500 });
    expect(await store.search([ALICE], "grain", 1)).toMatchObject({ ok: false });
    expect(waits).toHaveLength(3);
    expect(warnings).toHaveLength(1);
  });

  it("has few requests while it is slow, and a limited number of records waits", async () => {
    const { server, warnings, open } = await bench();
    const store = open({ pendingMax: 400 });
    const release = server.holdUp();
    const all = upTo(60).flatMap((agent) =>
      memoriesOf(
        `agent${agent}`,
        upTo(20).map((number) => `task ${number}`),
      ),
    );
    const taken: MemoryRecord[] = [];
    for (const record of all) if (store.add([record])) taken.push(record);
    // Up to eight batches are on their way, and as many as the limit wait.
    expect(taken.length).toBeGreaterThanOrEqual(400);
    expect(taken.length).toBeLessThanOrEqual(400 + 8 * 16);
    expect(warnings).toEqual([expect.stringContaining("400 memories are waiting")]);
    release();
    await store.room();
    expect(store.add(all.slice(-1))).toBe(true);
    expect(await store.flush()).toBeNull();
    expect(server.points("memories")).toHaveLength(taken.length + 1);
    expect(server.requestsMax).toBeLessThanOrEqual(12);
    expect(warnings).toHaveLength(1);
  });

  it("gets all records when it is back, after one warning", async () => {
    const { server, warnings, open } = await bench();
    const store = open();
    await server.stop();
    for (const agent of ["alice", "bob"]) {
      store.add(
        memoriesOf(
          agent,
          upTo(40).map((number) => `task ${number}`),
        ),
      );
    }
    expect(await store.flush()).toMatch(/fetch failed/);
    expect(await store.search([ALICE], "task", 1)).toMatchObject({ ok: false });
    await server.start();
    expect(await recalled(store, { artifact: "alice", query: "task 7", limit: 1 })).toHaveLength(1);
    expect(await store.flush()).toBeNull();
    expect(server.points("memories")).toHaveLength(80);
    expect(warnings).toHaveLength(1);
  });

  it("says once that it has lost the memories, and takes them again", async () => {
    const { server, warnings, open } = await bench();
    const store = open();
    let losses = 0;
    store.onLoss(() => {
      losses += 1;
      store.add(memoriesOf("alice", TEXTS));
    });
    await store.cutBack(new Map());
    store.add(memoriesOf("alice", TEXTS));
    await store.flush();
    server.collections.clear();
    store.add([memory("alice", 4, "begged for fuel")]);
    await Promise.all([1, 2, 3].map(() => recalled(store, AUCTION)));
    await store.flush();
    expect(sortedNumbersOf(await recalled(store, { ...AUCTION, limit: 9 }))).toEqual([1, 2, 3, 4]);
    expect(losses).toBe(1);
    expect(warnings).toEqual([expect.stringContaining("indexed again from the journal")]);
  });
});
