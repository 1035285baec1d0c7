import { dirname } from "node:path";
import { expect, it } from "vitest";
import { NOOP, runModels } from "../../support/model-run.ts";
import { withJournal } from "../../support/simulation-run.ts";

/** How many actions the journal of a run holds on disk at this moment. */
const actionsOnDisk = (path: string): Promise<number> =>
  withJournal(dirname(path), (journal) => journal.countOf(["action_completed"]));

const SETS = [
  ...["run.clock=wall", "run.duration_s=600", "run.max_actions=4"],
  ...["memory.backend=none", "journal.group_ms=100"],
];

it.each(["full", "normal"])(
  "a prompt is sent only after its events are on disk (%s)",
  async (sync) => {
    let path = "";
    const onDisk: number[] = [];
    const run = await runModels({
      agents: { ann: { mind: "llm" } },
      script: async () => {
        onDisk.push(await actionsOnDisk(path));
        return NOOP;
      },
      sets: [...SETS, `journal.sync=${sync}`],
      meanwhile: (runner) => {
        path = runner.journal.path;
      },
    });
    expect(run.result.stoppedBy).toBe("max_actions");
    const before = onDisk[0] ?? 0;
    // Each thought names the action before it.
    expect(onDisk.slice(0, 4)).toEqual([0, 1, 2, 3].map((more) => before + more));
  },
);
