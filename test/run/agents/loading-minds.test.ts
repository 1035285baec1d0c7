import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { policyKind } from "../../../src/policy/kinds.ts";
import { writePersonas } from "../../support/model-run.ts";
import { emptyFolder } from "../../support/sim.ts";
import { simulate } from "../../support/simulation-run.ts";

const POLICY = '{"mind":"policy/explorer"}';
const BUSY = { mind: "script", script: [{ noop: {} }], script_loop: true };

/** Ada gives herself a policy while others act in the same milliseconds. */
const PEOPLE = {
  ada: {
    mind: "script",
    script: [{ wait: 2 }, { write_artifact: { artifact_id: "ada", content: POLICY } }],
  },
  bob: BUSY,
  cyd: BUSY,
};

/** The end of a run in which the code of policies takes so long to load. */
const ranWith = async (loadMs: number) => {
  const load = policyKind.load;
  const slow = vi.spyOn(policyKind, "load").mockImplementation(async () => {
    await new Promise((resolve) => setTimeout(resolve, loadMs));
    return load();
  });
  const folder = emptyFolder();
  writePersonas(join(folder, "agents"), PEOPLE);
  const sets = ["run.duration_s=12", "run.clock=virtual"];
  const run = { agents: join(folder, "agents"), sets, runId: "run" };
  const { journalHash, stateHash, lastSeq, problem } = await simulate(join(folder, "runs"), run);
  return { loads: slow.mock.calls.length, journalHash, stateHash, lastSeq, problem };
};

afterEach(() => vi.restoreAllMocks());

it("an agent that changes its mind loads the new kind, in no run time", async () => {
  const fast = await ranWith(0);
  expect(fast).toMatchObject({ loads: 1, problem: null });
  vi.restoreAllMocks();
  expect(await ranWith(200)).toEqual(fast);
});
