import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, jsonOf, makeRun, sim } from "../support/sim.ts";

const SHIPPED = join(import.meta.dirname, "../../agents-bargain");
const [BUYER, SELLER] = ["bargain_buyer", "bargain_seller"] as const;

const here = emptyFolder();

/** Makes a run of the two shipped personas with these values of the painting. */
const bargain = (name: string, values: { readonly [persona: string]: number }): void => {
  cpSync(SHIPPED, join(here, name), { recursive: true });
  for (const [persona, value] of Object.entries(values)) {
    const file = join(here, name, persona, "agent.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/values: .*/, `values: { painting: ${value} }`));
  }
  makeRun(here, { name, seconds: 300 }, "--agents", name);
};

const gainsOf = (run: string) => jsonOf(here, "report", run).metrics.gains_from_trade;

const textsFrom = (run: string, of: string): readonly string[] =>
  sim(here, "messages", run, of, "--json")
    .out.trim()
    .split("\n")
    .map((line) => JSON.parse(line).text);

describe("two agents that bargain by messages", () => {
  beforeAll(() => {
    bargain("deal", {});
    bargain("no_room", { [BUYER]: 40, [SELLER]: 70 });
  });

  it("agree, settle through the escrow, and gain all that trade can give", () => {
    expect(gainsOf("deal")).toEqual({
      artifacts: [
        {
          ...{ artifact: "painting", maker: SELLER, owner: BUYER, price: 52 },
          sales: [{ at_ms: expect.any(Number), seller: SELLER, buyer: BUYER, price: 52 }],
          gains: [
            { agent: BUYER, value: 60, gain: 8 },
            { agent: SELLER, value: 30, gain: 22 },
          ],
          ...{ realised: 30, possible: 30, efficiency: 1 },
        },
      ],
      ...{ realised: 30, possible: 30, efficiency: 1 },
    });
    expect(textsFrom("deal", BUYER).at(-1)).toBe("Agreed: it is in genesis_escrow for 52 scrip.");
    const calls = sim(here, "events", "deal", "--kind", "artifact_invoked").out;
    expect(calls).toMatch(/"deposit".*"check".*"purchase"/s);
  });

  it("answer each other with numbers of messages, in one thread", () => {
    const { out } = sim(here, "messages", "deal", SELLER, "--json");
    const [first, ...others] = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({ id: 1, reply_to: null, thread: 1 });
    expect(others.length).toBeGreaterThan(3);
    for (const { id, reply_to, thread } of others) expect([reply_to, thread]).toEqual([id - 1, 1]);
  });

  it("end without a trade if no price is a gain for both", () => {
    expect(gainsOf("no_room")).toMatchObject({
      artifacts: [{ maker: SELLER, owner: SELLER, price: null, sales: [] }],
      ...{ realised: 0, possible: 0, efficiency: null },
    });
    const said = [BUYER, SELLER].flatMap((id) => textsFrom("no_room", id));
    expect(said.filter((text) => text.includes("No deal"))).toHaveLength(1);
    expect(said.join("\n")).not.toMatch(/Agreed/);
  });

  it("gain what they gain after the fork, in a fork", () => {
    const forked = (name: string, at: string) => {
      expect(sim(here, "fork", "deal", "--at", at, "--name", name).code).toBe(0);
      return gainsOf(name);
    };
    expect(forked("before", "3s")).toMatchObject({
      artifacts: [{ maker: SELLER, owner: BUYER, sales: [{ seller: SELLER }], realised: 30 }],
    });
    expect(forked("after", "100s")).toMatchObject({
      artifacts: [{ maker: BUYER, owner: BUYER, sales: [], possible: 0 }],
    });
  });

  it("show their gains in the report, the tables and the page", () => {
    const files = ["--csv", "tables", "--html", "report.html"];
    const { code, out } = sim(here, "report", "deal", ...files);
    expect(code).toBe(0);
    expect(out).toContain(
      `painting\t${SELLER}\t${BUYER}\t52\t${BUYER} 8, ${SELLER} 22\t30\t30\t100 %\n`,
    );
    expect(out).toMatch(/^total\t+30\t30\t100 %$/m);
    expect(out).toContain(
      "Agents gained 30 of the 30 scrip that trade in 1 artifact with private values could give " +
        "(100 %).",
    );
    const table = readFileSync(join(here, "tables/gains.csv"), "utf8").split("\r\n");
    expect(table[0]).toBe(
      "artifact,maker,owner,price,realised,possible,efficiency,agent,value,gain",
    );
    expect(table[1]).toBe(`painting,${SELLER},${BUYER},52,30,30,1,${BUYER},60,8`);
    expect(readFileSync(join(here, "report.html"), "utf8")).toContain('"gains_from_trade"');
    expect(sim(here, "report", "no_room").out).toContain(
      "No gains from trade were possible in 1 artifact with private values.",
    );
  });

  it("keep their values from each other, and from all who read the artifact of the agent", () => {
    for (const id of [BUYER, SELLER]) {
      expect(jsonOf(here, "state", "deal", id).content).not.toMatch(/values|60|30/);
    }
    expect(sim(here, "events", "deal", "--kind", "agent_created").out).toContain(
      '"values":{"painting":30}',
    );
  });
});
