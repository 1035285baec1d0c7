import { expect, it } from "vitest";
import { Journal } from "../../../src/world/index.ts";
import { NOOP, runModels } from "../../support/model-run.ts";

/** How many actions the file of a journal holds at this moment. */
const actionsOnDisk = (path: string): number => {
  const opened = Journal.open(path, { readOnly: true });
  if (!opened.ok) throw new Error(opened.problem);
  const { journal } = opened;
  const actions = [...journal.events({ kind: "action_completed" })].length;
  journal.close();
  return actions;
};

it.each(["full", "normal"])(
  "a prompt is sent only after its events are on disk (%s)",
  async (sync) => {
    let path = "";
    const onDisk: number[] = [];
    const run = await runModels({
      agents: { ann: { mind: "llm" } },
      script: () => {
        onDisk.push(actionsOnDisk(path));
        return NOOP;
      },
      sets: [
        "run.clock=wall",
        "run.duration_s=600",
        "run.max_actions=4",
        "memory.backend=none",
        `journal.sync=${sync}`,
        "journal.group_ms=100",
      ],
      meanwhile: (runner) => {
        path = runner.journal.path;
      },
    });
    expect(run.result.stoppedBy).toBe("max_actions");
    const before = onDisk[0] ?? 0;
    // Each thought names the action before it.
    expect(onDisk.slice(0, 4)).toEqual([before, before + 1, before + 2, before + 3]);
  },
);
