import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type RecordedCall, readCalls } from "../../src/model/index.ts";
import { isRunEvent } from "../../src/world/index.ts";
import { writePersonas } from "../support/model-run.ts";
import {
  askerOf,
  type ModelServer,
  startModelServer,
} from "../support/model-server/model-server.ts";
import {
  emptyFolder,
  jsonOf,
  type SimResult,
  setFlags,
  sim,
  spawnSim,
  startSim,
} from "../support/sim.ts";
import { SMALL_WORLD, withJournal } from "../support/simulation-run.ts";
import { type Call, calling } from "../tools/smith.ts";

const DRAFT = "drafts/half.js";
const ID = "toolsmith_half";
const TRY: Call = ["try_program", { path: DRAFT, args: [8] }];
const METHOD = {
  name: "run",
  description: "Returns half of a number.",
  input_schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  examples: [{ args: [8], result: 4 }],
};
const INTERFACE = { description: "Halves numbers.", methods: [METHOD] };

/** The steps of the toolsmith. The first draft has a mistake. */
const STEPS: readonly (readonly Call[])[] = [
  [
    ["read_file", { path: "skills/publish-program/SKILL.md" }],
    ["search_market", { words: "half" }],
  ],
  [["write_file", { path: DRAFT, text: "function run(n) { return m / 2 }" }]],
  [TRY],
  [["edit_file", { path: DRAFT, old_text: "m / 2", new_text: "n / 2" }], TRY],
  [["write_artifact", { artifact_id: ID, code_file: DRAFT, price: 3, interface: INTERFACE }]],
  [
    ["note", { text: `I sell ${ID}.` }],
    ["end_turn", {}],
  ],
];
/** One request for each step of the turn, and the first one of the next turn. */
const REQUESTS = STEPS.length + 1;
/** The requests at which a run is killed: its process ends as it is. */
const KILLED = [2, 4, 6];
/** The others, at which a run is stopped. */
const STOPPED = [1, 3, 5, 7];

const buy = { invoke_artifact: { artifact_id: ID, args: [10] } };
const BUYERS = {
  ann: { mind: "script", script: [{ wait: 8 }, buy, { wait: 2 }, buy] },
  bob: { mind: "script", script: [{ wait: 9 }, buy] },
  zed: { mind: "policy/zero_intelligence" },
};

const messageList = z.array(z.looseObject({ role: z.string() }));

const folder = emptyFolder();
let server: ModelServer;
/** What the test does instead of an answer to request `at`. */
let interruption: { readonly at: number; readonly act: () => void } | null = null;

beforeAll(async () => {
  server = await startModelServer((call) => {
    if (askerOf(call) !== "toolsmith") return undefined;
    const said = messageList.parse(call.body.messages).filter(({ role }) => role === "assistant");
    const step = said.length;
    if (interruption?.at === step + 1) {
      interruption.act();
      interruption = null;
      return { broken: "hang" };
    }
    return calling(step, STEPS[step] ?? [["wait", { for_s: 100 }]]);
  });
  writePersonas(join(folder, "buyers"), BUYERS);
});
afterAll(() => server.close());

const begin = (name: string): readonly string[] => [
  ...["run", "--name", name, "--clock", "virtual", "--duration", "15", "--seed", "7"],
  ...["--agents", "agents-llm", "--agents", "buyers", "--only", "toolsmith,ann,bob,zed"],
  ...["--model", "openai-compatible/tiny", "--json"],
  ...setFlags(
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
    "virtual.think_ms.llm=[1000,1000]",
    "memory.embedder=hashed",
    "mint.tasks=[]",
    SMALL_WORLD,
  ),
];

const ended = ({ code, out, err }: SimResult): { readonly state_hash: string } => {
  expect(code, err).toBe(0);
  return JSON.parse(out);
};

/** What a call cost in real time, and when, is not the same in a run that is repeated. */
const withoutTimes = ({ reply, ...call }: RecordedCall): object => {
  const { latencyMs: _, attempts, ...answer } = reply;
  return {
    ...call,
    answer,
    attempts: (attempts ?? []).map(({ endedMs: __, ...attempt }) => attempt),
  };
};

const wasCancelled = ({ reply }: RecordedCall): boolean => !reply.ok && reply.fault === "cancelled";

/** The events of a run without notes about the run itself, and its calls that were answered. */
const journalOf = (name: string) =>
  withJournal(join(folder, "runs", name), (journal) => {
    const calls = [...readCalls(journal.modelCalls())].flatMap((read) => {
      if (!read.ok) throw new Error(read.problem);
      return wasCancelled(read.call) ? [] : [withoutTimes(read.call)];
    });
    const events = [...journal.events()]
      .filter(({ kind }) => !isRunEvent(kind))
      .map(({ atMs, kind, principal, body }) => `${atMs} ${kind} ${principal} ${body}`);
    return { events, calls };
  });

/** Resumes an interrupted run. It must end like the run that was not interrupted. */
const expectSameEnd = async (name: string): Promise<void> => {
  const resumed = ended(await startSim(folder, "resume", name, "--json").ended);
  expect(resumed.state_hash).toBe(hash);
  expect(await journalOf(name)).toEqual(await journalOf("whole"));
  expect(sim(folder, "verify", name).code).toBe(0);
};

let hash: string;
beforeAll(async () => {
  hash = ended(await startSim(folder, ...begin("whole")).ended).state_hash;
});

describe("a toolsmith in a run of the command", () => {
  it("asks its model once for each step", async () => {
    const { calls } = await journalOf("whole");
    expect(calls).toHaveLength(REQUESTS);
  });

  it("drafts a program, sees its test fail, fixes it, and publishes it with examples", () => {
    const text = sim(folder, "transcript", "whole", "toolsmith").out;
    const places = [
      "ReferenceError: 'm' is not defined",
      "\n4\n</data>",
      `-> write_artifact {"artifact_id":"${ID}"`,
    ].map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places.toSorted((x, y) => x - y)).toEqual(places);
    const { code, interface: published } = jsonOf(folder, "state", "whole", ID);
    expect(code).toBe("function run(n) { return n / 2 }");
    expect(published).toMatchObject(INTERFACE);
  });

  it("is paid by scripts, and by a policy that finds the program itself", () => {
    const { services, principals } = jsonOf(folder, "report", "whole").metrics;
    const [{ sales, revenue }] = services;
    expect(services).toMatchObject([{ artifact: ID, seller: "toolsmith", customers: 3 }]);
    expect(revenue).toBe(3 * sales);
    const { streams } = jsonOf(folder, "explain", "whole", "toolsmith");
    const paid = new Map<string, number>();
    for (const { reason, artifact, other, amount } of streams) {
      if (reason === "price" && artifact === ID) paid.set(other, amount);
    }
    expect(paid.get("ann")).toBe(6);
    expect(paid.get("bob")).toBe(3);
    expect(paid.get("zed")).toBe(revenue - 9);
    expect(revenue).toBeGreaterThan(9);
    expect(principals).toContainEqual(
      expect.objectContaining({
        id: "toolsmith",
        income: expect.objectContaining({ services: revenue }),
      }),
    );
  });
});

describe("a run that is interrupted at a request of the toolsmith", () => {
  it.each(KILLED)("has the same journal if it is killed at request %s and resumed", async (at) => {
    const name = `killed-${at}`;
    const run = spawnSim(folder, ...begin(name));
    interruption = { at, act: () => run.kill("SIGKILL") };
    expect((await run.ended).code).toBe(null);
    await expectSameEnd(name);
  });

  it.each(STOPPED)(
    "has the same journal if it is stopped at request %s and resumed",
    async (at) => {
      const name = `stopped-${at}`;
      const run = startSim(folder, ...begin(name));
      interruption = { at, act: () => run.kill("SIGINT") };
      expect((await run.ended).code).toBe(130);
      await expectSameEnd(name);
    },
  );
});
