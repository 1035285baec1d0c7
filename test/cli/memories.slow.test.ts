import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QdrantServer } from "../support/qdrant-server/qdrant-server.ts";
import { emptyFolder, type SimResult, setFlags, startSim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();
const server = new QdrantServer();
const sim = (...args: readonly string[]): Promise<SimResult> => startSim(folder, ...args).ended;

const onServer = (): readonly string[] =>
  setFlags("memory.backend=qdrant", `memory.qdrant.url=${server.url}`);

const AGENTS = ["--agents", "agents-llm", "--only", "alpha,alpha_2", "--model", "mock"];
const TIME = ["--clock", "virtual", "--duration", "30", "--seed", "3", "--quiet"];

const run = (name: string, ...flags: readonly string[]): Promise<SimResult> =>
  sim("run", "--name", name, ...AGENTS, ...TIME, ...setFlags("memory.embedder=hashed"), ...flags);

const memoriesOf = async (...args: readonly string[]) => {
  const { code, out, err } = await sim("doctor", ...args, "--json");
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out);
};

const pointsOf = (name: string) =>
  server
    .points("catallaxy")
    .filter(({ payload }) => String(payload.run).startsWith(`${name}@`))
    .map(({ payload }) => payload);

beforeAll(async () => {
  await server.start();
  expect(await run("local")).toMatchObject({ code: 0, err: "" });
  expect(await run("shared", ...onServer())).toMatchObject({ code: 0, err: "" });
});
afterAll(() => server.stop());

it("a run on a server has there what the journal has, and remembers as a local run", async () => {
  const [local, shared] = [await memoriesOf("local"), await memoriesOf("shared")];
  expect(local.memories).toBeGreaterThan(10);
  expect(local).toMatchObject({ backend: "index", store: "memory.db", indexed: local.memories });
  expect(shared).toEqual({
    ...local,
    run: "shared",
    backend: "qdrant",
    store: `the collection catallaxy at ${server.url}`,
  });
  expect(pointsOf("shared")).toHaveLength(shared.memories);
  // The mock model answers to the prompt, so other memories would change the run.
  const ends = await Promise.all(
    ["local", "shared"].map((name) => sim("verify", name, "--replay", "--json")),
  );
  const [one, two] = ends.map(({ out }) => JSON.parse(out).state_hash);
  expect(one).toBe(two);
  // A replay needs no server.
  await server.stop();
  const again = await run("again", "--replay-models", "shared", ...onServer());
  await server.start();
  expect(again).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse((await sim("verify", "again", "--replay", "--json")).out).state_hash).toBe(one);
  expect(pointsOf("again")).toEqual([]);
});

it("--reindex puts a finished run into another store, once", async () => {
  const first = await memoriesOf("local", "--reindex", ...onServer());
  expect(first).toMatchObject({ added: first.memories, deleted: 0, indexed: first.memories });
  const texts = pointsOf("local").map(({ artifact, number }) => `${artifact} ${number}`);
  expect(new Set(texts).size).toBe(first.memories);
  const writes = server.requests("PUT", "/points").length;
  expect(await memoriesOf("local", "--reindex", ...onServer())).toMatchObject({ added: 0 });
  expect(server.requests("PUT", "/points")).toHaveLength(writes);
});

it("--reindex fills a server that has lost its memories, and a deleted local index", async () => {
  server.collections.clear();
  rmSync(join(folder, "runs/local/memory.db"));
  for (const name of ["shared", "local"]) {
    const { memories, indexed } = await memoriesOf(name);
    expect(indexed).toBe(0);
    expect(await memoriesOf(name, "--reindex")).toMatchObject({ added: memories });
  }
  // To count for another embedder deletes nothing.
  const other = await memoriesOf("local", ...setFlags("memory.embedder=offline"));
  expect(other.indexed).toBe(0);
  expect((await memoriesOf("local")).indexed).toBe(other.memories);
  const { out } = await sim("doctor", "shared");
  expect(out).toMatch(/^artifact\tmemories\tindexed\nalpha_2_memory\t(\d+)\t\1\n/);
  expect(out).toMatch(/(\d+) memories in the journal, \1 in the collection catallaxy at http/);
});

it("a resumed run continues on its server, and a fork puts what it inherits there", async () => {
  server.collections.clear();
  const more = ["--duration", "5", "--quiet"];
  expect(await sim("resume", "shared", ...more)).toMatchObject({ code: 0, err: "" });
  const fork = await sim("fork", "local", "--name", "child", ...more, ...onServer());
  expect(fork).toMatchObject({ code: 0, err: "" });
  const before = await memoriesOf("local");
  for (const name of ["shared", "child"]) {
    const { memories, indexed } = await memoriesOf(name);
    expect(memories).toBeGreaterThan(before.memories);
    expect(indexed).toBe(memories);
    expect(pointsOf(name)).toHaveLength(memories);
  }
});

describe("what cannot be done is said in one line", () => {
  const hashed = "hashed-512-1";
  const cure = "set memory.qdrant.collection to another name";

  it("for backends without a store", async () => {
    const none = await sim("doctor", "local", "--reindex", ...setFlags("memory.backend=none"));
    const why = "memory.backend is none, which has no store";
    expectRefusal(none, 2, `${why}; add --set memory.backend=index, qdrant or mem0`);
    const { out } = await sim("doctor", "local", ...setFlags("memory.backend=none"));
    expect(out).toMatch(/memories in the journal, no store \(memory.backend: none\)\n$/);
  });

  it("for a collection of another embedder, also before a run begins", async () => {
    const flags = [...onServer(), ...setFlags("memory.embedder=offline")];
    const problem =
      `the collection catallaxy at ${server.url} has vectors of the embedder ${hashed}, ` +
      `not of offline-use-lite-en-512-2; ${cure}`;
    expectRefusal(await sim("doctor", "local", "--reindex", ...flags), 2, problem);
    expectRefusal(await run("misfit", ...flags), 2, problem);
    expect(existsSync(join(folder, "runs/misfit"))).toBe(false);
    const doctor = await sim("doctor", "--json", ...flags);
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain(problem);
  });

  it("for a server that is down, and a run begins nevertheless", async () => {
    await server.stop();
    const problem = `no server answers at ${server.url}; start it, or correct memory.qdrant.url`;
    expectRefusal(await sim("doctor", "shared"), 3, problem);
    const ran = await run("alone", ...onServer());
    expect(ran.code).toBe(0);
    await server.start();
    const { memories, indexed } = await memoriesOf("alone");
    expect(indexed).toBe(0);
    expect(await memoriesOf("alone", "--reindex")).toMatchObject({ added: memories });
    const removed = await sim("rm", "alone", "--yes");
    expect(removed.err).toMatch(/memories of alone stay in the collection catallaxy at http/);
  });
});
