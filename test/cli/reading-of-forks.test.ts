import { join } from "node:path";
import { expect, it } from "vitest";
import { writePersonas } from "../support/model-run.ts";
import { emptyFolder, sim } from "../support/sim.ts";

const PROGRAM = { code: "function run(a) { return a }" };

it("says of a fork how many programs came and how many were deleted since", () => {
  const folder = emptyFolder();
  const makes = (id: string) => ({ write_artifact: { artifact_id: id, ...PROGRAM } });
  const deletes = (id: string) => ({
    invoke_artifact: { artifact_id: "genesis_store", method: "delete", args: [id] },
  });
  const script = [makes("one"), makes("two"), { wait: 10 }, makes("three")];
  const ended = [deletes("one"), { wait: 10 }, deletes("two")];
  writePersonas(join(folder, "agents"), { ann: { mind: "script", script: [...script, ...ended] } });
  const run = ["run", "--clock", "virtual", "--duration", "60", "--name", "old", "--quiet"];
  expect(sim(folder, ...run, "--stop-after", "5").code).toBe(0);
  const fork = (name: string, stop: string): string => {
    const flags = ["--name", name, "--stop-after", stop, "--quiet"];
    expect(sim(folder, "fork", "old", ...flags).code).toBe(0);
    return sim(folder, "report", name).out;
  };
  const both = fork("new", "50");
  expect(both).toContain(
    "Of 3 programs of agents, 1 came since the fork, and 2 were deleted since;",
  );
  expect(fork("short", "9")).toContain("1 came since the fork, and 1 was deleted since; others");
});
