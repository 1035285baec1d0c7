import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NOOP, writePersonas } from "../support/model-run.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { emptyFolder, type SimResult, setFlags, startSimWith } from "../support/sim.ts";

const folder = emptyFolder();
let server: ModelServer;
let settings: readonly string[] = [];

const sim = (...args: readonly string[]): Promise<SimResult> =>
  startSimWith({}, folder, args).ended;

const reportOf = ({ out }: SimResult): { state_hash: string; thinking: { calls: number } } =>
  JSON.parse(out);

/** What a fork says of its answers, and how many calls reached the server for it. */
const forked = async (name: string, ...flags: readonly string[]) => {
  const before = server.calls.length;
  const said = await sim("fork", "first", "--name", name, "--json", ...settings, ...flags);
  return { said, served: server.calls.length - before };
};

beforeAll(async () => {
  server = await startModelServer(() => NOOP);
  settings = setFlags(
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
    "llm.providers.openai-compatible.requests_per_minute=null",
    "llm.pricing={tiny: {input: 1, output: 2}}",
    "virtual.think_ms.llm=[1000,1000]",
    "memory.embedder=hashed",
    "mint.tasks=[]",
  );
  writePersonas(join(folder, "agents"), { ann: { mind: "llm" }, bob: { mind: "llm" } });
  const run = ["run", "--clock", "virtual", "--duration", "8", "--name", "first", "--json"];
  const { code, err } = await sim(...run, "--model", "openai-compatible/tiny", ...settings);
  expect({ code, err }).toMatchObject({ code: 0 });
});
afterAll(() => server.close());

const first = async (): Promise<ReturnType<typeof reportOf>> =>
  reportOf(await sim("verify", "first", "--replay", "--json"));

it("an unchanged fork sends no request", async () => {
  const { said, served } = await forked("same", "--at", "50", "--replay-models");
  expect(said).toMatchObject({
    code: 0,
    err: expect.stringMatching(/[1-9]\d* model calls answered from the recording, 0 not/),
  });
  expect(served).toBe(0);
  expect(reportOf(said).state_hash).toBe((await first()).state_hash);
});

it("a fork with a changed persona uses recorded replies for equal requests", async () => {
  writePersonas(join(folder, "changed"), { bob: { mind: "llm", system_prompt: "You are new." } });
  const flags = ["--at", "50", "--agents", "changed", "--replay-models"];
  const { said, served } = await forked("new", ...flags);
  expect(said.code).toBe(0);
  const counts = /(\d+) model calls answered from the recording, (\d+) not found/.exec(said.err);
  expect(Number(counts?.[1])).toBeGreaterThan(0);
  expect(Number(counts?.[2])).toBe(served);
  expect(served).toBeGreaterThan(0);
});

it("without --replay-models every request is sent again", async () => {
  const { said, served } = await forked("again", "--at", "50");
  expect(said.code).toBe(0);
  expect(served).toBe(reportOf(said).thinking.calls);
});

it("--replay-models refuses an unknown run", async () => {
  const { said } = await forked("none", "--at", "50", "--replay-models", "nowhere");
  expect(said).toMatchObject({ code: 2, err: expect.stringMatching(/there is no run "nowhere"/) });
});
