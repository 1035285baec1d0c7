import { describe, expect, it } from "vitest";
import { type Followed, follow, pageText, type Step, stepsIn } from "../support/page-steps.ts";

/** Follows a page after these commands, and expects that each command ends as the page says. */
const followed = async (
  page: string,
  chapter: string | null,
  ...before: readonly string[]
): Promise<Followed> => {
  const first = before.map((command): Step => ({ does: "types", command, code: 0 }));
  const steps = stepsIn(pageText(page, chapter));
  expect(steps.some(({ does }) => does === "types")).toBe(true);
  const done = await follow([...first, ...steps]);
  expect(done.problems).toEqual([]);
  return done;
};

describe("a newcomer who follows a page", () => {
  it("on resuming and forking finds where the fork differs", async () => {
    const { saidBy } = await followed("changing-a-run.md", "Resuming, forking and comparing runs");
    const [seq, seconds] = saidBy("sim events first").out.split("\t");
    expect(Number(seq)).toBeGreaterThan(0);
    // The page says that the first bid comes just after 30 s, the time of the fork.
    expect(seconds).toMatch(/^30\.\d+ s$/);
    expect(saidBy("sim compare").out).toMatch(/^high-bids diverges from first after \d+ equal /);
  });

  it("on schedules sees each change in the reports", async () => {
    const { saidBy } = await followed("changing-a-run.md", "Changes at planned times");
    const changes = ["set mint.slots=4 at 100 s", "set mint.slots=1 at 200 s"];
    for (const change of changes) expect(saidBy("sim run").out).toContain(`schedule  ${change}\n`);
    expect(saidBy("sim resume").out).toContain("schedule  set mint.slots=2 at 420 s\n");
  });

  it("on exports gets the tables of a run", async () => {
    const { said } = await followed("export.md", null, "sim run --duration 60");
    const rows = said.map(([_, { out }]) => /^trades\t(\d+)$/m.exec(out)?.[1]);
    expect(new Set(rows.filter((each) => each !== undefined)).size).toBe(1);
  });
});
