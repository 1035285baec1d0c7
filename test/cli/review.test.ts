import { describe, expect, it, onTestFinished } from "vitest";
import { sim, spawnSim, startSim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const note = (n: number) => ({ write_artifact: { artifact_id: `note_${n}`, content: "x" } });
const scriptOf = (id: string): string =>
  JSON.stringify({
    id,
    mind: "script",
    review: "actions",
    script: [1, 2, 3].map((n) => ({ write_artifact: { artifact_id: `${id}_${n}`, content: "x" } })),
  });

const AGENTS = { "agents/ada/agent.yaml": scriptOf("ada") };
const RUN = ["run", "--name", "live", "--duration", "60", "--clock", "virtual"];

/** A run in which `ada` asks before each action. */
const liveRun = async () => {
  const cwd = folderWith(AGENTS);
  const run = startSim(cwd, ...RUN);
  onTestFinished(async () => {
    run.kill("SIGTERM");
    await run.ended;
  });
  await run.until(/waits for a review/);
  return { cwd, run };
};

const review = (cwd: string, ...args: readonly string[]) => sim(cwd, "review", "live", ...args);

const waiting = (cwd: string): readonly { readonly id: number }[] =>
  review(cwd, "list", "--json")
    .out.trim()
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

describe("sim review", () => {
  it("lists an action, which the world waits for, and lets it happen or another one", async () => {
    const { cwd, run } = await liveRun();
    expect(waiting(cwd)).toMatchObject([
      { id: 1, agent: "ada", action: { write_artifact: { artifact_id: "ada_1" } }, cost: 0 },
    ]);
    expect(review(cwd, "list").out).toMatch(/^1 {2}ada at [\d.]+ s, up to 0 scrip\n\{"write_art/);
    expect(review(cwd, "accept", "1").out).toBe("proposal 1: ada: the action is executed\n");
    await expect.poll(() => waiting(cwd)).toMatchObject([{ id: 2 }]);
    const edited = review(cwd, "edit", "2", JSON.stringify(note(7)), "--json");
    expect(JSON.parse(edited.out)).toEqual({ id: 2, decision: "edit" });
    await expect.poll(() => waiting(cwd)).toMatchObject([{ id: 3 }]);
    expect(review(cwd, "feedback", "3", "Not now.").code).toBe(0);
    expect((await run.ended).code).toBe(0);
    const { artifacts } = JSON.parse(sim(cwd, "state", "live", "--json").out);
    const ids: readonly string[] = artifacts.map(({ id }: { readonly id: string }) => id);
    expect(["ada_1", "note_7"].every((id) => ids.includes(id))).toBe(true);
    expect(["ada_2", "ada_3"].some((id) => ids.includes(id))).toBe(false);
    expect(sim(cwd, "verify", "live").code).toBe(0);
  });

  it("says why a decision is refused, and changes nothing", async () => {
    const { cwd } = await liveRun();
    expectRefusal(review(cwd, "accept", "9"), 1, "there is no proposal 9; the last one is 1");
    expectRefusal(review(cwd, "accept", "x"), 2, /"x" is not a number; `sim review RUN list`/);
    expectRefusal(review(cwd, "acept", "1"), 2, /"acept" is not a way to decide; did you mean/);
    expectRefusal(review(cwd, "edit", "1", "{"), 2, /the new action must be a JSON object/);
    expectRefusal(review(cwd, "accept", "1", "few"), 2, /"few" is not an amount; give the most/);
    const wrong = review(cwd, "edit", "1", '{"write_artifact": {}}');
    expectRefusal(wrong, 1, /artifact_id/);
    expect(waiting(cwd)).toMatchObject([{ id: 1 }]);
  });

  it("decides after a run was killed while its action waited, and was resumed", async () => {
    const cwd = folderWith(AGENTS);
    const run = spawnSim(cwd, ...RUN);
    await run.until(/waits for a review/);
    run.kill("SIGKILL");
    await run.ended;
    expectRefusal(review(cwd, "accept", "1"), 3, /live is not running; `sim resume live`/);
    expect(waiting(cwd)).toMatchObject([{ id: 1 }]);
    const resumed = startSim(cwd, "resume", "live");
    await resumed.until(/run live in/);
    for (const id of [1, 2, 3]) {
      await expect.poll(() => waiting(cwd)).toMatchObject([{ id }]);
      expect(review(cwd, "accept", String(id), "0").code).toBe(0);
    }
    expect((await resumed.ended).code).toBe(0);
    expect(sim(cwd, "verify", "live").code).toBe(0);
  });
});
