import { beforeAll, describe, expect, it } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import { acting, inTurn, type ModelRun, NOOP, runModels } from "../../support/model-run.ts";
import { askerOf, type Script } from "../../support/model-server/model-server.ts";
import { QdrantServer } from "../../support/qdrant-server/qdrant-server.ts";

const readNo = (artifact_id: string) => acting({ read_artifact: { artifact_id } });

/** Ann looks for iron and Bob for bread, and both for coal. */
const searches = () =>
  inTurn({
    ann: [readNo("iron"), readNo("coal"), NOOP],
    bob: [readNo("bread"), readNo("coal"), NOOP],
  });

const searching = (sets: readonly string[], script: Script = searches()): Promise<ModelRun> =>
  runModels({
    agents: { ann: { mind: "llm" }, bob: { mind: "llm" } },
    script,
    sets: ["run.duration_s=6", ...sets],
  });

const recalledBy = (run: ModelRun, agent: string): string =>
  /## Your relevant memories\n([\s\S]*?)\n\n/.exec(run.promptsOf(agent).at(-1) ?? "")?.[1] ?? "";

describe.each(["index", "artifact"])("memory.backend: %s", (backend) => {
  let run: ModelRun;
  beforeAll(async () => {
    run = await searching([`memory.backend=${backend}`]);
  });

  it("records and recalls every action once, in order", () => {
    for (const [agent, thing] of Object.entries({ ann: "iron", bob: "bread" })) {
      const records = run.of("memory_recorded", agent);
      expect(records.map(({ number }) => number)).toEqual(records.map((_, at) => at + 1));
      expect(records.map(({ through }) => through)).toEqual(records.map((_, at) => at + 1));
      const ended = run.events.filter(({ kind, principal }) => {
        return principal === agent && /^action_(completed|refused)$/.test(kind);
      });
      expect(records.map(({ at_ms }) => at_ms)).toEqual(ended.map(({ at_ms }) => at_ms));
      expect(records[0]?.text).toMatch(`Agent ${agent} performed read_artifact ${thing}: `);
      expect(recalledBy(run, agent)).toContain(`performed read_artifact ${thing}: `);
    }
  });

  it("shows no one the memories of another", () => {
    expect(recalledBy(run, "ann")).not.toMatch(/bread|bob/);
    expect(recalledBy(run, "bob")).not.toMatch(/iron|ann/);
    expect(run.promptsOf("bob").join()).not.toMatch(/memory_recorded|ann_memory/);
  });

  it("is part of the replayed state", () => {
    expect(run.replayedHash).toBe(run.result.stateHash);
    expect(run.state.memories.get(asId("ann_memory"))).toBe(
      run.of("memory_recorded", "ann").length,
    );
  });
});

describe("where memories are kept", () => {
  it("index: in an index in the run folder, with the configured embedder", async () => {
    const run = await searching(["memory.backend=index", "run.duration_s=3"]);
    expect(run.files.get("memory.db")?.includes("hashed-")).toBe(true);
    expect(run.of("memory_written")).toEqual([]);
    expect(run.state.artifacts.get(asId("ann_memory"))?.content).toBe("[]");
  });

  it("artifact: in the agent's memory artifact, limited and charged as bytes written", async () => {
    const run = await searching(["memory.backend=artifact", "memory.artifact_bytes_max=300"]);
    expect([...run.files.keys()]).not.toContain("memory.db");
    const text = run.state.artifacts.get(asId("ann_memory"))?.content ?? "";
    const records: readonly { n: number }[] = JSON.parse(text);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300);
    expect(records.at(-1)?.n).toBe(run.of("memory_recorded", "ann").length);
    expect(records.length).toBeLessThan(run.of("memory_recorded", "ann").length);
    const kept = run.of("memory_written", "ann");
    expect(kept).toHaveLength(run.of("memory_recorded", "ann").length);
    expect(kept[0]).toMatchObject({ artifact_id: "ann_memory", bytes: expect.any(Number) });
  });

  it("artifact: a memory that exceeds the disk is refused, and the run continues", async () => {
    const run = await searching(["memory.backend=artifact", "resources.stock.disk_bytes=50"]);
    expect(run.of("memory_refused", "ann")[0]).toMatchObject({ code: "insufficient_disk" });
    expect(run.of("memory_written")).toEqual([]);
    expect(run.of("action_completed", "ann").length).toBeGreaterThan(1);
    expect(run.replayedHash).toBe(run.result.stateHash);
  });

  it("none: nowhere", async () => {
    const run = await searching(["memory.backend=none"]);
    expect(run.of("memory_recorded")).toEqual([]);
    expect(run.promptsOf("ann").length).toBeGreaterThan(2);
    expect(recalledBy(run, "ann")).toBe("");
    expect([...run.files.keys()]).not.toContain("memory.db");
  });

  it("embedder: provider/model asks that provider for vectors", async () => {
    const run = await searching(["memory.embedder=openai-compatible/embed"]);
    const embedded = run.served.flatMap(({ texts = [] }) => texts);
    expect(embedded.some((text) => text.startsWith("iron: there is no artifact"))).toBe(true);
    expect(recalledBy(run, "ann")).toContain("iron");
  });

  it.each(["qdrant", "mem0"])(
    "%s: on a server, reduced to facts where infer is set",
    async (backend) => {
      const qdrant = await new QdrantServer().start();
      const fact = "No one has made any iron yet";
      const others = searches();
      const place = [`memory.qdrant.url=${qdrant.url}`, "memory.qdrant.collection=world"];
      const run = await searching(
        [`memory.backend=${backend}`, "memory.infer=true", ...place],
        (call) =>
          askerOf(call) === "" ? { text: JSON.stringify({ facts: [fact] }) } : others(call),
      );
      await qdrant.stop();
      expect(qdrant.points("world").length).toBeGreaterThan(2);
      expect(run.recorded.some(({ request }) => request.purpose === "infer")).toBe(true);
      expect(recalledBy(run, "ann")).toContain(fact);
      expect(run.replayedHash).toBe(run.result.stateHash);
    },
  );
});

it.each(["qdrant", "mem0"])(
  "%s: a server that is down costs recall and one warning",
  async (backend) => {
    const run = await searching([
      `memory.backend=${backend}`,
      "memory.qdrant.url=http://127.0.0.1:59999",
    ]);
    expect(run.result.stoppedBy).toBe("duration");
    expect(run.of("action_completed", "ann").length).toBeGreaterThan(1);
    expect(run.of("memory_recorded", "ann").length).toBeGreaterThan(2);
    expect(run.of("warning_raised").length).toBeGreaterThan(0);
    expect(run.of("warning_raised").length).toBeLessThan(3);
  },
);

const ledger = (method: string, ...args: readonly string[]) =>
  acting({ invoke_artifact: { artifact_id: "genesis_ledger", method, args } });

/** Ann learns about iron and sells her memory to Bob. Both then search for iron again. */
const selling = (): Script =>
  inTurn({
    ann: [readNo("iron"), ledger("transfer_ownership", "ann_memory", "bob"), NOOP, NOOP],
    bob: [NOOP, NOOP, ledger("accept", "ann_memory"), NOOP],
  });

describe("a memory that is sold", () => {
  const check = (run: ModelRun): void => {
    expect(run.state.artifacts.get(asId("ann_memory"))?.owner).toBe("bob");
    expect(recalledBy(run, "bob")).toContain("Agent ann performed read_artifact iron");
    expect(recalledBy(run, "ann")).not.toContain("read_artifact iron");
    expect(recalledBy(run, "ann")).not.toBe("");
    const [later] = run.of("memory_recorded", "ann").filter(({ artifact_id }) => {
      return artifact_id === "ann_memory_2";
    });
    expect(later).toMatchObject({ number: 1 });
    expect(run.replayedHash).toBe(run.result.stateHash);
  };
  const sets = ["agent.rag.limit=20", "run.duration_s=9"];

  it.each(["index", "artifact"])("goes with its records: %s", async (backend) => {
    check(await searching([...sets, `memory.backend=${backend}`], selling()));
  });

  it.each(["qdrant", "mem0"])("goes with its records: %s", async (backend) => {
    const qdrant = await new QdrantServer().start();
    const place = [`memory.qdrant.url=${qdrant.url}`, "memory.qdrant.collection=world"];
    const run = await searching([...sets, `memory.backend=${backend}`, ...place], selling());
    await qdrant.stop();
    check(run);
  });
});
