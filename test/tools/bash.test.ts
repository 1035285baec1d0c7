import { beforeAll, describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import type { ModelRun } from "../support/model-run.ts";
import { type Call, resultsIn, runSmith } from "./smith.ts";

const bash = (command: string): Call => ["bash", { command }];

const contentOf = (ran: ModelRun): unknown =>
  JSON.parse(ran.state.artifacts.get(asId("smith_workspace"))?.content ?? "null");

describe("an agent with bash", () => {
  const STEPS: readonly (readonly Call[])[] = [
    [
      ["write_file", { path: "sales.csv", text: "pear,3\nfig,4\npear,5\n" }],
      bash("awk -F, '{ n[$1] += $2 } END { for (k in n) print k, n[k] }' sales.csv | sort > sums"),
      bash("grep -c pear sales.csv; date +%s; echo $RANDOM"),
    ],
    [bash("mv sums totals; rm sales.csv; cat none")],
    [bash("cat totals"), ["end_turn", {}]],
  ];
  let ran: ModelRun;
  beforeAll(async () => {
    ran = await runSmith(STEPS);
  });

  it("changes its workspace, step after step, and reads what a command prints", () => {
    const results = resultsIn(ran);
    expect(results[1]).toBe("exit code 0");
    expect(results[2]).toMatch(/^exit code 0\n<data>\n2\n946684800\n\d+\n<\/data>$/);
    expect(results[3]).toMatch(/^exit code 1\nerrors:\n<data>\ncat: none: No such file.*<\/data>/s);
    expect(results[4]).toBe("exit code 0\n<data>\nfig 4\npear 8\n</data>");
    expect(contentOf(ran)).toEqual({ totals: "fig 4\npear 8\n" });
    expect(ran.of("workspace_changed", "smith").length).toBeGreaterThan(0);
    expect(ran.replayedHash).toBe(ran.result.stateHash);
  });
});
