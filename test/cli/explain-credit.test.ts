import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { MoneyTrail } from "../../src/read/index.ts";
import { writePersonas } from "../support/model-run.ts";
import { emptyFolder, jsonOf, makeRun, sim } from "../support/sim.ts";

const folder = emptyFolder();
const DEBTS = "genesis_debt_contract";

const debts = (method: string, args: readonly unknown[], scrip = 0): object => {
  const attach = scrip === 0 ? {} : { attach: { scrip } };
  return { invoke_artifact: { artifact_id: DEBTS, method, args, ...attach } };
};
const ledger = (method: string, args: readonly unknown[]): object => ({
  invoke_artifact: { artifact_id: "genesis_ledger", method, args },
});

/**
 * Bob lends ann 30 and 20, and attaches 5 too much to the first. She pays the first debt off and
 * attaches 4 too much; he collects the second when it is due. Then she gives the contract one
 * scrip, which is not credit at all.
 */
beforeAll(() => {
  const people = join(folder, "people");
  writePersonas(people, {
    ann: {
      mind: "script",
      starting_scrip: 100,
      script: [
        ledger("grant", [DEBTS, 50, 50]),
        debts("issue", [30, 0, 60]),
        debts("issue", [20, 0, 5]),
        { wait: 6 },
        debts("repay", ["debt_1"], 34),
        { wait: 10 },
        ledger("transfer", [DEBTS, 1]),
      ],
    },
    bob: {
      mind: "script",
      starting_scrip: 100,
      script: [
        { wait: 3 },
        debts("accept", ["debt_1"], 35),
        debts("accept", ["debt_2"], 20),
        { wait: 8 },
        debts("collect", ["debt_2"]),
      ],
    },
  });
  makeRun(folder, { name: "lent", seconds: 30 }, "--agents", people);
});

type Line = readonly [what: string, amount: number, whom: string | null];

const linesOf = (principal: string): readonly Line[] => {
  const { steps }: MoneyTrail = jsonOf(folder, "explain", "lent", principal, "--limit", "100");
  return steps
    .filter(({ other }) => other !== null)
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ what, amount, other }): Line => [what, amount, other]);
};

describe("a transfer through the debt contract", () => {
  it("is a loan, a repayment or change for the debtor", () => {
    expect(linesOf("ann")).toEqual([
      ["loan", 30, "bob"],
      ["loan", 20, "bob"],
      ["repayment", -34, DEBTS],
      ["change", 4, DEBTS],
      ["repayment", -20, "bob"],
      ["to the debt contract", -1, DEBTS],
    ]);
  });

  it("is lent, repaid or change for the creditor", () => {
    expect(linesOf("bob")).toEqual([
      ["lent", -35, DEBTS],
      ["change", 5, DEBTS],
      ["lent", -20, DEBTS],
      ["repayment", 30, "ann"],
      ["repayment", 20, DEBTS],
    ]);
  });

  it("has a separate line for each kind among the streams", () => {
    const { out } = sim(folder, "explain", "lent", "ann", "--limit", "0");
    expect(out).toMatch(/^\+50\t2\tloan\tbob\t-$/m);
    expect(out).toMatch(/^-34\t1\trepayment\tgenesis_debt_contract\tgenesis_debt_contract$/m);
    expect(out).toMatch(/^\+4\t1\tchange\tgenesis_debt_contract\t-$/m);
  });
});
