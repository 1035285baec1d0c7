import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ModelServer,
  type ServedCall,
  startModelServer,
} from "../support/model-server/model-server.ts";
import { type Followed, follow, pageText, stepsIn } from "../support/page-steps.ts";
import { type SimResult, setFlags } from "../support/sim.ts";

const STEPS = stepsIn(pageText("authoring-agents.md"));

const acting = (action: object): string =>
  JSON.stringify({ thought_process: "I look around and continue.", action });

/** What a model would say that plays along. */
const answered = ({ prompt, n }: ServedCall) => ({
  text: prompt.includes("Settle on a goal")
    ? JSON.stringify({ goal: "sell tools", next_step: "look at the market" })
    : acting(
        n % 2 === 0
          ? { noop: {} }
          : { invoke_artifact: { artifact_id: "genesis_store", method: "count", args: [] } },
      ),
});

let server: ModelServer;
let followed: Followed;

/**
 * Providers are asked at the server of the test, which wants no distance between requests. The
 * shipped embedder takes a second to start.
 */
const atServer = (): readonly string[] =>
  setFlags(
    "memory.embedder=hashed",
    "llm.providers.google.requests_per_minute=null",
    `llm.providers.google.base_url=${server.baseUrl("google")}`,
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
  );

beforeAll(async () => {
  server = await startModelServer(answered);
  followed = await follow(STEPS, atServer);
});
afterAll(() => server.close());

const saidBy = (start: string): SimResult => followed.saidBy(start);

const hashIn = ({ out }: SimResult): string | undefined => /^state hash (\w+)$/m.exec(out)?.[1];

describe("the tutorial on writing agents", () => {
  it("has commands that exit as documented", () => {
    expect(STEPS.filter(({ does }) => does === "types").length).toBeGreaterThan(20);
    expect(STEPS.filter(({ does }) => does === "writes").length).toBeGreaterThan(4);
    expect(followed.problems).toEqual([]);
  });

  it("shows the printed problem of the mistake in the workflow", () => {
    const shown = STEPS.flatMap((step) => (step.does === "reads" ? [step.text] : []));
    const printed = followed.said.map(([_, { out }]) => out);
    expect(shown).toHaveLength(1);
    for (const text of shown) expect(printed).toContain(text);
  });

  it("leads to agents that act by policy, script, model and workflow", () => {
    expect(saidBy("sim report first").out).toMatch(/^hugo\t\w+\t\d+\t/m);
    expect(saidBy("sim events scripted").out).toContain("artifact_invoked");
    expect(saidBy("sim agents preview lou").out).toContain("You write small text tools");
    expect(saidBy("sim report trial").out).toMatch(/^to\tmock\t\d+\t0\t/m);
    const past = saidBy("sim agents preview lou --run trial --at 30s").out;
    expect(past).toMatch(/^lou at 30 s, after event \d+ of the journal \(public event \d+\)\n/);
    expect(past).toMatch(/\n--- memories, \d+ tokens\n[\s\S]*Agent lou performed/);
    expect(saidBy("sim run --only lou,wanda,hugo,fermi").out).toMatch(/^for\tplan\t\d+\t0\t/m);
    expect(saidBy("sim run --agents agents-llm --duration 60").out).toMatch(/^trades +[1-9]/m);
    expect(saidBy("sim run --only lou,hugo,fermi --duration 60 --estimate").out).toMatch(/^lou\t/m);
    const thought = JSON.parse(saidBy("sim events talk --principal lou").out.split("\n")[0] ?? "");
    expect(thought).toMatchObject({ principal: "lou", reasoning: "I look around and continue." });
    expect(saidBy("sim events talk --principal lou --kind memory_recorded").out).toContain(
      "Agent lou performed invoke_artifact",
    );
    expect(saidBy("sim report talk").out).toMatch(/^to\tgoogle\/gemini-3-flash-preview\t/m);
    const local = saidBy(
      "sim run --only lou,hugo,fermi --duration 60 --clock virtual --name local",
    );
    expect(local.out).toMatch(/^to\topenai-compatible\/qwen3:8b\t.*\t0\.0000$/m);
    expect(local.out).not.toContain("default_pricing");
    expect(saidBy("sim report steps").out).toMatch(/^for\tplan\t/m);
  });

  it("leads to an equal run with --replay-models", () => {
    const [talk, again] = ["talk", "again"].map((name) => {
      return followed.said.find(([command]) => command.includes(`--name ${name} `))?.[1];
    });
    if (talk === undefined || again === undefined) throw new Error("the tutorial repeats no run");
    expect(hashIn(talk)).toMatch(/^\w{64}$/);
    expect(hashIn(again)).toBe(hashIn(talk));
  });
});
