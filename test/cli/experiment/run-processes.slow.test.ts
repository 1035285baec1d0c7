import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { localExecutor, newProcesses } from "../../../src/cli/experiment/run-processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** The processes that this one has started, by number. */
const children = (): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const status = readFileSync(join("/proc", name, "stat"), "utf8");
      const parent = Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1]);
      return parent === process.pid ? [Number(name)] : [];
    });

it.runIf(process.platform === "linux")(
  "starts another process if one has died while it waited for a run",
  async () => {
    const runs = temporaryFolder();
    const executor = localExecutor(1, newProcesses);
    const before = new Set(children());
    const execute = (name: string) =>
      executor.execute({
        request: { start: { kind: "new" }, out: runs, name, durationS: 2, seed: 1 },
        ...{ past: null, arm: "a", factors: {}, seed: 1, measures: [], keep: "figures" },
      });
    expect(await execute("first")).toMatchObject({ ok: true });
    const workers = children().filter((pid) => !before.has(pid));
    for (const pid of workers) process.kill(pid, "SIGKILL");
    await expect.poll(() => children().filter((pid) => workers.includes(pid))).toEqual([]);
    expect(await execute("second")).toMatchObject({ ok: true });
    await executor.stop();
  },
);
