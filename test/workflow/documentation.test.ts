import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { asId, type Json } from "../../src/kernel/index.ts";
import { BUILT_INS } from "../../src/workflow/built-ins.ts";
import { VARIABLES } from "../../src/workflow/variables.ts";
import { offeringWith } from "../support/view.ts";
import { actionOf, actionRecord, call, fieldsIn, iterate, workflowUnder } from "./workbench.ts";

const PAGE = readFileSync(new URL("../../docs/agents.md", import.meta.url), "utf8");

/** The table or the code behind a mark on the page. */
const behind = (mark: string): string => {
  const [, rest = ""] = PAGE.split(`<!-- ${mark} -->\n`);
  return rest.startsWith("```") ? (rest.split("```")[1] ?? "") : (rest.split("\n\n")[0] ?? "");
};

describe("docs/agents.md", () => {
  test("lists every variable, and marks what others may have written", () => {
    const rows = VARIABLES.map(
      ({ name, says, foreign }) => `| \`${name}\`${foreign ? " *" : ""} | ${says} |`,
    );
    expect(behind("variables").split("\n").slice(2)).toEqual(rows);
  });

  test("lists every built-in with what it takes and sets", () => {
    const rows = Object.entries(BUILT_INS).map(([name, { says, takes, gives }]) => {
      const taken = Object.entries(takes).map(
        ([parameter, { says, required }]) => `\`${parameter}\`${required ? "" : "?"}: ${says}`,
      );
      const given = gives.map(({ name, says }) => `\`${name}\`: ${says}`);
      return `| \`${name}\`: ${says} | ${taken.join("; ")} | ${given.join("; ")} |`;
    });
    expect(behind("built-ins").split("\n").slice(2)).toEqual(rows);
  });
});

test("its shortest example executes the last decision", async () => {
  const shortest = workflowUnder(behind("shortest example").replace("yaml\n", ""));
  const ran = await iterate(shortest, {
    answers: {
      observe: [{ action: call("market"), reasoning: "Much is on offer." }],
      decide: [{ action: call("adder") }],
    },
  });
  expect(ran.earlier[1]).toContain("### observe\nMuch is on offer.\n");
  expect(actionOf(ran)).toEqual(call("adder"));
});

const workflow = workflowUnder(behind("example").replace("yaml\n", ""));
const market = [offeringWith({ id: asId("adder"), description: "Adds." })];
const answers = {
  look: [{ action: call("adder") }],
  build: [{ action: call("workshop") }],
  ship: [{ action: call("genesis_mint") }],
};
test("its example looks, builds, judges and ships", async () => {
  const seen: Json[] = [];
  let memory: Json = null;
  for (const decision of ["", "continue", "continue", "ship", ""]) {
    const ran = await iterate(workflow, {
      memory,
      seen: { market },
      actions: [actionRecord()],
      answers: { ...answers, verdict: [{ data: { decision, why: "it is good" } }] },
    });
    ({ memory } = ran.run);
    seen.push(actionOf(ran), fieldsIn(memory).state ?? null);
  }
  const [looks, builds, ships] = [call("adder"), call("workshop"), call("genesis_mint")];
  expect(seen).toEqual([
    ...[looks, "building"],
    ...[builds, "building"],
    ...[builds, "building"],
    ...[builds, "shipping"],
    ...[ships, "observing"],
  ]);
});
