import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { type Followed, follow, pageText, stepsIn } from "../support/page-steps.ts";
import { setFlags } from "../support/sim.ts";
import { scriptOf } from "../tools/talks.ts";

const STEPS = stepsIn(pageText("people.md", "Messages between agents"));
const SHIPPED = join(import.meta.dirname, "../../agents-llm");

const BUYER = "haggler_buyer";
const SELLER = "haggler_seller";

const waits = [["wait", { for_s: 120 }]] as const;
const tells = (to: string, text: string, reply_to?: number) =>
  [["send_message", { to, text, reply_to }]] as const;
const calls = (method: string, args: readonly unknown[], attach: object = {}) =>
  [["invoke_artifact", { artifact_id: "genesis_escrow", method, args, attach }]] as const;

/** What two models say that play along. */
const BARGAIN = scriptOf({
  [BUYER]: [
    tells(SELLER, "I like your painting. I offer 35 scrip."),
    waits,
    tells(SELLER, "My wall is small. 45, and I pay at once.", 2),
    waits,
    tells(SELLER, "Agreed: 48. Please deposit it in genesis_escrow for me.", 4),
    waits,
    calls("check", ["painting"]),
    calls("purchase", ["painting"], { scrip: 48 }),
    "I own the painting.",
    ...Array.from({ length: 9 }, () => waits),
  ],
  [SELLER]: [
    tells(BUYER, "It is my best one. 55 scrip.", 1),
    "I wait for an offer.",
    tells(BUYER, "48, and it is yours.", 3),
    "I wait for an offer.",
    [
      [
        "write_artifact",
        { artifact_id: "painting", artifact_type: "painting", content: "A red boat." },
      ],
    ],
    calls("deposit", [48, BUYER], { artifacts: ["painting"] }),
    tells(BUYER, "It is in the escrow for 48 scrip. Please purchase it.", 5),
    "I wait for my money.",
  ],
});

let server: ModelServer;
let followed: Followed;

const atServer = (): readonly string[] =>
  setFlags(
    "llm.default_model=openai-compatible/tiny",
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
    "virtual.think_ms.llm=[1000,1000]",
    "memory.embedder=hashed",
    "llm.failover.cooldown_initial_s=0.001",
    "llm.failover.cooldown_max_s=0.002",
    "mint.tasks=[]",
  );

beforeAll(async () => {
  server = await startModelServer(BARGAIN);
  followed = await follow(STEPS, atServer);
});
afterAll(() => server.close());

describe("the page on talk", () => {
  it("has commands that exit as documented, and shows what they print", () => {
    expect(followed.problems).toEqual([]);
    const shown = STEPS.flatMap((step) => (step.does === "reads" ? [step.text] : []));
    expect(shown).toHaveLength(2);
    expect(followed.said.map(([, { out }]) => out)).toEqual(expect.arrayContaining(shown));
  });

  it("shows the two shipped personas", () => {
    const written = STEPS.flatMap((step) => (step.does === "writes" ? [step] : []));
    expect(written).toHaveLength(4);
    for (const { file, text } of written) {
      const shipped = readFileSync(join(SHIPPED, file.replace(/^agents\//, "")), "utf8");
      expect(shipped.replace(/^(#.*\n)+/, "")).toBe(text);
    }
  });

  it("leads to a bargain from which both gain", () => {
    const { agents, metrics } = JSON.parse(followed.saidBy("sim report haggle --json").out);
    const wealth = new Map(agents.map(({ id, wealth }: Agent) => [id, wealth]));
    // Messages cost 1 scrip each. The buyer has paid 48 and sent 3, the seller has sent 3.
    expect(wealth.get(BUYER)).toBe(100 - 48 - 3);
    expect(wealth.get(SELLER)).toBe(100 + 48 - 3);
    expect(metrics.trades.by_kind.sale).toBe(1);
    expect(metrics.work).toMatchObject({ messages: 6, messages_refused: 0 });
    const owner = JSON.parse(followed.saidBy("sim state haggle painting --json").out);
    expect(owner).toMatchObject({ owner: BUYER, type: "painting" });
    expect(metrics.gains_from_trade).toMatchObject({
      artifacts: [
        {
          ...{ artifact: "painting", maker: SELLER, owner: BUYER, price: 48 },
          gains: [
            { agent: BUYER, value: 60, gain: 12 },
            { agent: SELLER, value: 30, gain: 18 },
          ],
        },
      ],
      efficiency: 1,
    });
  });

  it("has a pair that bargains without a language model", () => {
    const { out } = followed.saidBy("sim report deal");
    expect(out).toMatch(/^painting\t.*\tbargain_buyer 8, bargain_seller 22\t30\t30\t100 %$/m);
    expect(out).toContain("thoughts  18, 0 failed, 0 USD to model providers");
  });

  it("keeps each value from the other agent", () => {
    const texts = server.calls.map((call) => [call.system, JSON.stringify(call.body)].join("\n"));
    const worth = (scrip: number): RegExp =>
      new RegExp(`To you, painting is worth ${scrip} scrip. No one else knows this.`);
    const [of60, of30] = [worth(60), worth(30)];
    expect(texts.some((text) => of60.test(text) && of30.test(text))).toBe(false);
    expect(texts.filter((text) => of60.test(text)).length).toBeGreaterThan(5);
  });
});

type Agent = { readonly id: string; readonly wealth: number };
