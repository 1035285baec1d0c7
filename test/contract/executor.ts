import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Executor, Job } from "../../src/experiment/index.ts";
import { folderWith, temporaryFolder } from "../support/temporary-folder.ts";

export type ExecutorUnderTest = {
  /** An executor with two slots. */
  readonly open: () => Promise<Executor>;
  /** The error of a run whose process ends with SIGKILL. */
  readonly died: RegExp;
};

type JobTerms = Partial<Job> & { readonly args?: readonly string[]; readonly seconds?: number };

const NO_CHECKPOINTS = ["--set", "checkpoint.every_s=null", "--set", "checkpoint.on_end=false"];

/** A run of a few seconds of simulated time. */
const jobIn = (runs: string, id: string, terms: JobTerms = {}): Job => {
  const { args = [], seconds = 2, ...rest } = terms;
  const flags = ["--clock", "virtual", "--duration", String(seconds), "--only", "ada"];
  const call = ["run", "--name", id, "--out", runs, "--seed", "1", ...flags, ...NO_CHECKPOINTS];
  return {
    call: { id, args: [...call, ...args] },
    ...{ runs, past: null, arm: "a", factors: {}, seed: 1, measures: [], keep: "figures" },
    ...rest,
  };
};

const measure = (file: string): Job["measures"][number] => {
  return { kind: "module", name: "own", unit: null, place: "e.yaml:1:1", file };
};

/** What every executor must do. */
export const executorContract = (name: string, { open, died }: ExecutorUnderTest): void => {
  describe(name, () => {
    let executor: Executor;

    beforeAll(async () => {
      executor = await open();
    });
    afterAll(async () => {
      await executor.stop();
    });

    it("makes a run, measures it and keeps only figures", async () => {
      const runs = temporaryFolder();
      const actions = "export default ({ metrics }) => metrics.work.actions;";
      const folder = folderWith({ "actions.js": actions });
      const measures = [measure(join(folder, "actions.js"))];
      const outcome = await executor.execute(jobIn(runs, "figures", { measures }));
      expect(outcome).toMatchObject({
        ok: true,
        run: { stoppedBy: "duration", usd: 0, keptBytes: 0, figures: { own: expect.any(Number) } },
      });
      expect(readdirSync(runs)).toEqual([]);
    });

    it("makes several runs at a time, and equal ones with equal hashes", async () => {
      const runs = temporaryFolder();
      const ids = ["one", "two", "three"];
      const outcomes = await Promise.all(
        [0, 1].map((slot) => executor.execute(jobIn(runs, ids[slot] ?? ""))),
      );
      outcomes.push(await executor.execute(jobIn(runs, "three", { args: ["--seed", "2"] })));
      const hashes = outcomes.map((each) => (each?.ok === true ? each.run.digest : null));
      expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(hashes[1]).toBe(hashes[0]);
      expect(hashes[2]).not.toBe(hashes[0]);
    });

    it("reports why a run failed", async () => {
      const runs = temporaryFolder();
      const wrong = jobIn(runs, "wrong", { args: ["--set", "mint.slots=-1"] });
      expect(await executor.execute(wrong)).toEqual({
        ok: false,
        error: expect.stringContaining("mint.slots"),
      });
    });

    it("reports that the process of a run died", async () => {
      const runs = temporaryFolder();
      const folder = folderWith({
        "end.js": 'export default () => process.kill(process.pid, "SIGKILL");',
      });
      const job = jobIn(runs, "dies", { measures: [measure(join(folder, "end.js"))] });
      expect(await executor.execute(job)).toEqual({
        ok: false,
        error: expect.stringMatching(died),
      });
      expect(await executor.execute(jobIn(runs, "lives"))).toMatchObject({ ok: true });
    });

    it("forks a common past until it is released", async () => {
      const runs = temporaryFolder();
      const past = jobIn(runs, "past", { seconds: 4, args: ["--stop-after", "2"], keep: "past" });
      expect(await executor.execute(past)).toMatchObject({ ok: true });
      const fork = (id: string): Job => ({
        ...jobIn(runs, id, { past: "past" }),
        call: { id, args: ["fork", "past", "--name", id, "--out", runs] },
      });
      const [one, other] = await Promise.all(
        [fork("a"), fork("b")].map((job) => executor.execute(job)),
      );
      expect(one).toMatchObject({ ok: true, run: { stoppedBy: "duration" } });
      expect(other).toMatchObject({ ok: true });
      executor.release(past.call, runs);
      await expect.poll(() => existsSync(join(runs, "past"))).toBe(false);
    });

    it("ends runs in progress when it stops, and makes none after that", async () => {
      const runs = temporaryFolder();
      const stopped = await open();
      const running = stopped.execute(jobIn(runs, "long", { seconds: 86_400 }));
      await stopped.stop();
      expect(await running).toBeNull();
      expect(await stopped.execute(jobIn(runs, "late"))).toBeNull();
    });
  });
};
