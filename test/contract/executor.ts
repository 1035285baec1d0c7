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

type JobTerms = Partial<Omit<Job, "request">> & Partial<Job["request"]>;

/** A run of a few seconds of simulated time. */
const jobIn = (out: string, name: string, terms: JobTerms = {}): Job => {
  const { past = null, measures = [], keep = "figures", ...request } = terms;
  const none = [
    { key: "checkpoint.every_s", value: null, origin: "the test" },
    { key: "checkpoint.on_end", value: false, origin: "the test" },
  ];
  return {
    request: {
      ...{ start: { kind: "new" }, out, name, seed: 1, clock: "virtual", durationS: 2 },
      ...{ only: ["ada"], ...request, settings: [...none, ...(request.settings ?? [])] },
    },
    ...{ past, arm: "a", factors: {}, seed: 1, measures, keep },
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
      outcomes.push(await executor.execute(jobIn(runs, "three", { seed: 2 })));
      const hashes = outcomes.map((each) => (each?.ok === true ? each.run.digest : null));
      expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(hashes[1]).toBe(hashes[0]);
      expect(hashes[2]).not.toBe(hashes[0]);
    });

    it("reports why a run failed", async () => {
      const runs = temporaryFolder();
      const wrong = jobIn(runs, "wrong", {
        settings: [{ key: "mint.slots", value: -1, origin: "the test" }],
      });
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
      const past = jobIn(runs, "past", { durationS: 4, stopAfterS: 2, keep: "past" });
      expect(await executor.execute(past)).toMatchObject({ ok: true });
      const fork = (name: string): Job => {
        const job = jobIn(runs, name, { past: "past" });
        const start = { kind: "fork", source: "past" } as const;
        return { ...job, request: { start, out: runs, name } };
      };
      const [one, other] = await Promise.all(
        [fork("a"), fork("b")].map((job) => executor.execute(job)),
      );
      expect(one).toMatchObject({ ok: true, run: { stoppedBy: "duration" } });
      expect(other).toMatchObject({ ok: true });
      executor.release("past", runs);
      await expect.poll(() => existsSync(join(runs, "past"))).toBe(false);
    });

    it("ends runs in progress when it stops, and makes none after that", async () => {
      const runs = temporaryFolder();
      const stopped = await open();
      const running = stopped.execute(jobIn(runs, "long", { durationS: 86_400 }));
      await stopped.stop();
      expect(await running).toBeNull();
      expect(await stopped.execute(jobIn(runs, "late"))).toBeNull();
    });
  });
};
