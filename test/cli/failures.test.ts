import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { acting, NOOP, type Personas, writePersonas } from "../support/model-run.ts";
import type { Answer } from "../support/model-server/answer.ts";
import {
  askerOf,
  type ModelServer,
  type Script,
  startModelServer,
} from "../support/model-server/model-server.ts";
import { emptyFolder, type SimResult, setFlags, sim, startSimWith } from "../support/sim.ts";

const KEYS = { OPENAI_COMPATIBLE_API_KEY: "gateway-some-secret" };

const open: ModelServer[] = [];
afterAll(() => Promise.all(open.map((server) => server.close())));

const event = z.looseObject({ at_ms: z.number(), kind: z.string() });
const report = z.object({
  stopped_by: z.string(),
  thinking: z.object({ failed_by: z.record(z.string(), z.number()) }),
  agents: z.array(z.object({ id: z.string(), state: z.string(), reason: z.string() })),
});

type Ran = { readonly folder: string; readonly server: ModelServer; readonly said: SimResult };

const reportOf = ({ said }: Ran) => report.parse(JSON.parse(said.out));

const eventsIn = ({ folder }: Ran, ...flags: readonly string[]) => {
  const { out } = sim(folder, "events", "first", "--json", ...flags);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => event.parse(JSON.parse(line)));
};

/** Runs agents under the virtual clock in the real command, with a model that answers so. */
const ranWith = async (
  personas: Personas,
  { script = () => undefined, flags = [] }: { script?: Script; flags?: readonly string[] } = {},
): Promise<Ran> => {
  const folder = emptyFolder();
  const server = await startModelServer(script);
  open.push(server);
  writePersonas(join(folder, "agents"), personas);
  const settings = setFlags(
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
    "virtual.think_ms.llm=[1000,1000]",
    "memory.backend=none",
    "mint.tasks=[]",
  );
  const words = ["run", "--clock", "virtual", "--json", "--name", "first"];
  const model = ["--model", "openai-compatible/tiny"];
  const said = await startSimWith(KEYS, folder, [...words, ...settings, ...model, ...flags]).ended;
  return { folder, server, said };
};

describe("a failed thought", () => {
  const cases: { readonly [id: string]: readonly [Answer, object] } = {
    unknown_kind: [acting({ fly: {} }), { reason: "intent_rejected" }],
    missing_field: [acting({ read_artifact: {} }), { reason: "intent_rejected" }],
    prose: [{ text: "I will wait." }, { reason: "llm_error", fault: "unreadable_reply" }],
    cut: [
      { text: '{"thought_process": "I', ending: "length" },
      { reason: "llm_error", fault: "reply_cut_off" },
    ],
  };
  const ids = Object.keys(cases);

  it("has the name of its cause, and names the cure", async () => {
    const ran = await ranWith(Object.fromEntries(ids.map((id) => [id, { mind: "llm" }])), {
      script: (call) => cases[askerOf(call)]?.[0],
      flags: ["--duration", "3"],
    });
    expect(ran.said.code).toBe(0);
    for (const id of ids) {
      const [failure] = eventsIn(ran, "--kind", "thought_failed", "--principal", id);
      expect(failure).toMatchObject(cases[id]?.[1] ?? {});
    }
    const { thinking } = reportOf(ran);
    const shown = sim(ran.folder, "report", "first").out.match(
      /^thoughts .* failed \((.*)\)/m,
    )?.[1];
    expect(new Set(shown?.split(", "))).toEqual(
      new Set(Object.entries(thinking.failed_by).map(([reason, many]) => `${reason} ${many}`)),
    );
    expect(Object.keys(thinking.failed_by)).toEqual(
      expect.arrayContaining(["intent_rejected", "reply_cut_off", "unreadable_reply"]),
    );
    const cure = "reply_cut_off: the reply was cut off at its limit of 1000 tokens (length); raise";
    expect(ran.said.err).toContain(cure);
    const ofCut = ran.server.calls.filter((call) => askerOf(call) === "cut");
    expect(ofCut.at(-1)?.prompt).toContain(`FAILED: llm_error: ${cure} max_tokens`);
  });
});

it("a model is told the name of an unknown field in its action, and can correct it", async () => {
  const search = { artifact_id: "genesis_store", method: "search" };
  const call = (fields: object) => acting({ invoke_artifact: { ...search, ...fields } });
  const answers = [call({ arguments: ["sum"] }), call({ args: ["sum"], reasoning: "Who sums?" })];
  const ran = await ranWith(
    { ann: { mind: "llm" } },
    { script: ({ n }) => answers[n - 1] ?? NOOP, flags: ["--duration", "3"] },
  );
  expect(ran.said.code).toBe(0);
  expect(ran.server.calls[1]?.prompt).toContain(
    'It cannot be used: action: invoke_artifact has no field "arguments"; its fields are artifact_id,',
  );
  expect(eventsIn(ran, "--kind", "thought_failed")).toEqual([]);
  const [thought] = eventsIn(ran, "--kind", "thought_completed");
  expect(thought?.action).toEqual({ invoke_artifact: { ...search, args: ["sum"] } });
});

describe("an agent that failed too often", () => {
  it("is paused for a minute, and then tries again", async () => {
    const agents = { ann: { mind: "llm" } };
    const script: Script = () => ({ text: "no" });
    const ran = await ranWith(agents, { script, flags: ["--duration", "70"] });
    const failures = eventsIn(ran, "--kind", "thought_failed");
    const [paused, resumed] = eventsIn(ran, "--kind", "agent_state_changed");
    const reason = "too many failures in a row";
    expect(paused).toMatchObject({ from: "running", to: "paused", reason, cause: "failures" });
    expect(paused?.at_ms).toBe(failures[4]?.at_ms);
    expect(resumed).toMatchObject({ from: "paused", to: "running" });
    expect(resumed?.at_ms).toBe(Number(paused?.at_ms) + 60_000);
    expect(failures.length).toBeGreaterThan(5);
  });
});

describe("an agent that can never act", () => {
  const SPAWN = {
    invoke_artifact: {
      artifact_id: "genesis_ledger",
      method: "spawn_principal",
      args: ["kid", { mind: "script", script: [{ noop: {} }] }, { actions: 10 }],
    },
  };
  const MEANS = { actions: 10, cpu_gas: 5_000, llm_budget_micros: 10_000 };
  const giveGas = {
    invoke_artifact: {
      artifact_id: "genesis_rights_registry",
      method: "transfer_quota",
      args: ["kid", "cpu_gas", 5_000],
    },
  };
  const WHY =
    "its quota of cpu_gas (0) can never pay for a call (100); it needs a transfer of quota";

  it("says why, and does not keep the run from ending", async () => {
    const parent = { mind: "script", script: [SPAWN] };
    const ran = await ranWith({ parent }, { flags: ["--duration", "600"] });
    const { stopped_by, agents } = reportOf(ran);
    expect(stopped_by).toBe("idle");
    expect(agents).toContainEqual(
      expect.objectContaining({ id: "kid", state: "frozen", reason: WHY }),
    );
    expect(eventsIn(ran, "--kind", "agent_frozen")).toMatchObject([
      { principal: "kid", lacks: "cpu_gas", needs: 100, has: 0 },
    ]);
    expect(ran.said.err).toMatch(
      /^warning: kid cannot act at [\d.]+ s: its quota of cpu_gas \(0\)/m,
    );
    expect(sim(ran.folder, "state", "first").out).toContain(WHY);
  });

  it("acts as soon as it gets the quota", async () => {
    const parent = { mind: "script", script: [SPAWN, { wait: 5 }, giveGas] };
    const ran = await ranWith({ parent }, { flags: ["--duration", "600"] });
    expect(eventsIn(ran, "--kind", "agent_unfrozen")).toMatchObject([{ agent: "kid" }]);
    expect(eventsIn(ran, "--kind", "action_completed", "--principal", "kid")).toHaveLength(1);
  });

  it("acts when its owner gives it a mind that costs less", async () => {
    const dear = { ...SPAWN.invoke_artifact, args: ["kid", { mind: "policy/explorer" }, MEANS] };
    const content = JSON.stringify({ mind: "script", script: [{ noop: {} }] });
    const cheaper = { write_artifact: { artifact_id: "kid", content } };
    const script = [{ invoke_artifact: dear }, { wait: 5 }, cheaper];
    const parent = { mind: "script", script };
    const ran = await ranWith({ parent }, { flags: ["--duration", "600"] });
    expect(eventsIn(ran, "--kind", "agent_frozen")).toMatchObject([{ lacks: "llm_tokens" }]);
    const changes = eventsIn(ran, "--kind", "agent_state_changed", "--principal", "kid");
    const reason = "its thoughts cost less now";
    expect(changes[1]).toMatchObject({ from: "frozen", to: "running", reason });
    expect(eventsIn(ran, "--kind", "action_completed", "--principal", "kid")).toHaveLength(1);
  });

  it("acts in a fork whose settings make a thought cheap enough", async () => {
    const flags = ["--duration", "5", ...setFlags("resources.windows.llm_tokens=2000")];
    const ran = await ranWith({ ann: { mind: "llm" } }, { script: () => NOOP, flags });
    const [ann] = reportOf(ran).agents;
    expect(ann?.reason).toMatch(
      /^its quota of llm_tokens \(2000\) can never pay for a thought \(at least 2\d\d\d\)/,
    );
    const cheaper = setFlags("llm.max_tokens=100", "agent.prompt.budget_tokens=1000");
    const words = ["fork", "first", "--name", "second", "--json", "--duration", "5"];
    const forked = await startSimWith(KEYS, ran.folder, [...words, ...cheaper]).ended;
    expect(forked.code).toBe(0);
    expect(ran.server.calls.length).toBeGreaterThan(0);
    expect(sim(ran.folder, "verify", "second").code).toBe(0);
  });

  it("is reported if a thought costs more than its whole budget", async () => {
    const ran = await ranWith(
      { ann: { mind: "llm" } },
      {
        flags: [
          ...["--duration", "600"],
          ...setFlags("resources.stock.llm_budget_usd=0.000001", "compute.sale=none"),
        ],
      },
    );
    expect(ran.said.err).toMatch(
      /^warning: ann cannot think at [\d.]+ s: it has 1 micro-dollars; a/m,
    );
    const { stopped_by, agents } = reportOf(ran);
    expect(stopped_by).toBe("idle");
    const why = /^it was frozen for 60 s: it has 1 micro-dollars; a thought/;
    expect(agents[0]?.reason).toMatch(why);
    expect(ran.server.calls).toEqual([]);
  });
});
