import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { acting, NOOP, writePersonas } from "../support/model-run.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { canStartRedis, hasRedis, sharedRedis } from "../support/redis-server.ts";
import { emptyFolder, setFlags, sim, startSimWith } from "../support/sim.ts";

const LLM = { mind: "llm" };
const KEYS = { GOOGLE_GENERATIVE_AI_API_KEY: "AIza-shared-key" };
const RUN = ["run", "--clock", "virtual", "--duration", "5", "--json"];
/** A port at which nothing listens. */
const NOWHERE = "redis://127.0.0.1:1";

/** A folder with one agent that thinks, and the flags of its runs. */
const world = (server: ModelServer, ...sets: readonly string[]) => {
  const folder = emptyFolder();
  writePersonas(join(folder, "agents"), { ann: LLM });
  const flags = setFlags(
    `llm.providers.google.base_url=${server.baseUrl("google")}`,
    "llm.providers.google.requests_per_minute=null",
    "llm.providers.google.tokens_per_minute=null",
    "llm.providers.google.max_concurrency=1",
    "virtual.think_ms.llm=[1000,1000]",
    "memory.backend=none",
    "mint.tasks=[]",
    ...sets,
  );
  return { folder, run: (name: string) => [...RUN, "--name", name, ...flags] };
};

/** A server that counts the calls in progress. */
const countingServer = async () => {
  const inProgress = { now: 0, most: 0 };
  const server = await startModelServer(async () => {
    inProgress.now += 1;
    inProgress.most = Math.max(inProgress.most, inProgress.now);
    // The calls of another run can arrive meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 30));
    inProgress.now -= 1;
    return acting(NOOP);
  });
  onTestFinished(() => server.close());
  return { server, inProgress };
};

const filesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

describe.skipIf(!hasRedis)("two runs with one key and one Redis server", () => {
  const redis = sharedRedis("pass-word");

  it.skipIf(!canStartRedis)("share its limits, and write no password", async () => {
    const { server, inProgress } = await countingServer();
    const { folder, run } = world(server, "llm.limits.shared=env:LIMITS");
    const variables = { ...KEYS, LIMITS: redis.url() };
    const runs = ["one", "two"].map((name) => startSimWith(variables, folder, run(name)));
    for (const { ended } of runs) {
      const { code, out, err } = await ended;
      expect({ code, err }).toMatchObject({ code: 0 });
      expect(out + err).not.toContain("pass-word");
    }
    expect(server.calls.length).toBeGreaterThan(4);
    expect(inProgress.most).toBe(1);
    expect(filesIn(folder)).toContain("env:LIMITS");
    expect(filesIn(folder)).not.toContain("pass-word");
  });

  it.skipIf(!canStartRedis)("are refused with a wrong password", async () => {
    const { server } = await countingServer();
    const { folder, run } = world(server, "llm.limits.shared=env:LIMITS");
    const variables = { ...KEYS, LIMITS: redis.url().replace("pass-word", "wrong-word") };
    const { code, err } = await startSimWith(variables, folder, run("one")).ended;
    expect(code).toBe(2);
    expect(err).toMatch(/^sim: redis:\/\/127\.0\.0\.1:\d+ refuses the user or the password\n$/);
    expect(existsSync(join(folder, "runs", "one"))).toBe(false);
  });
});

describe("a run that shares limits", () => {
  it("does not begin if Redis cannot be reached", async () => {
    const { server } = await countingServer();
    const { folder, run } = world(server, `llm.limits.shared=${NOWHERE}`);
    const { code, out, err } = await startSimWith(KEYS, folder, run("one")).ended;
    expect({ code, out }).toEqual({ code: 3, out: "" });
    const cure = "start Redis there, or correct the address";
    expect(err).toBe(`sim: cannot reach Redis at ${NOWHERE}: connection refused; ${cure}\n`);
    expect(existsSync(join(folder, "runs", "one"))).toBe(false);
    expect(server.calls).toEqual([]);
  });

  it("does not begin if the variable with the address is not set", async () => {
    const { server } = await countingServer();
    const { folder, run } = world(server, "llm.limits.shared=env:LIMITS");
    const { code, err } = await startSimWith(KEYS, folder, run("one")).ended;
    expect({ code, err }).toEqual({
      code: 2,
      err: "sim: llm.limits.shared: set the environment variable LIMITS\n",
    });
  });

  it("needs no Redis with the mock model", () => {
    const folder = emptyFolder();
    writePersonas(join(folder, "agents"), { ann: LLM });
    const flags = setFlags(`llm.limits.shared=${NOWHERE}`, "mint.tasks=[]");
    const made = sim(folder, ...RUN, "--model", "mock", ...flags);
    expect(made).toMatchObject({ code: 0 });
  });

  it.each([
    ["redis://:secret@host", "must not hold a name or password; put the address into an"],
    ["http://host", "must be the address of a Redis server"],
    ["env:a-b", "must name an environment variable after env:"],
  ])("is refused with the server %s", (place, problem) => {
    const { code, err } = sim(emptyFolder(), "run", "--set", `llm.limits.shared=${place}`);
    expect(code).toBe(2);
    expect(err).toContain(`\`llm.limits.shared\` ${problem}`);
    expect(err).not.toContain("secret");
  });
});
