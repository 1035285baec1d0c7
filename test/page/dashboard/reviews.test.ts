import { basename, join } from "node:path";
import { expect, it } from "vitest";
import type { Dashboard } from "../../../src/page/index.ts";
import type { RunReviews } from "../../../src/read/index.ts";
import { dashboardOf, linkTo } from "../../support/dashboard.ts";
import { writePersonas } from "../../support/model-run.ts";
import { accepts, review, says } from "../../support/reviewer.ts";
import { prepareRun, SMALL_WORLD } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const write = (artifact_id: string, content: string) => ({
  write_artifact: { artifact_id, content },
});

/** A run in which each of these agents writes two notes, which wait for a reviewer. */
const reviewedRun = (ids: readonly string[], settings: readonly string[] = []) => {
  const out = temporaryFolder();
  const agents = join(out, "personas");
  const writer = (id: string) => {
    const script = [write(`${id}_1`, "first"), write(`${id}_2`, "second")];
    return [id, { mind: "script", script, review: "actions" }] as const;
  };
  writePersonas(agents, Object.fromEntries(ids.map(writer)));
  const sets = [SMALL_WORLD, "run.duration_s=30", "mint.tasks=[]", ...settings];
  const launch = prepareRun(join(out, "runs"), { agents, sets });
  return { launch, runs: join(out, "runs") };
};

const apiOf = (dashboard: Dashboard, folder: string) => {
  const address = dashboard.addressOf(basename(folder));
  const { origin } = new URL(address);
  const [, token = ""] = /token=([\w-]+)/.exec(address) ?? [];
  const get = async (path: string) => {
    const answer = await fetch(`${origin}/api/runs/${basename(folder)}${path}`);
    return JSON.parse(await answer.text());
  };
  return {
    tick: () => get(""),
    reviews: (at = ""): Promise<RunReviews> => get(`/reviews${at}`),
    command: async (body: string, authorization = `Bearer ${token}`) => {
      const headers = { authorization };
      const answer = await fetch(`${origin}/api/command`, { method: "POST", headers, body });
      return { status: answer.status, body: JSON.parse(await answer.text()) };
    },
  };
};

it("shows what waits, and decides it in every way", async () => {
  const wall = ["run.clock=wall", "run.duration_s=36000"];
  const { launch, runs } = reviewedRun(["ann", "bea", "cyd"], wall);
  const { folder } = launch.directory;
  const api = apiOf(await dashboardOf(runs, { live: linkTo(launch) }), folder);
  const ended = launch.run();
  await expect.poll(async () => (await api.tick()).waiting).toBe(3);
  const { waiting, reviewed } = await api.reviews();
  expect(reviewed).toEqual([]);
  expect(waiting.map(({ id }) => id)).toEqual([1, 2, 3]);
  const [first] = waiting;
  const action = write(`${first?.agent}_1`, "first");
  expect(first).toMatchObject({ action, cost: 0, unanswered: null });
  const decide = (decision: object) => api.command(JSON.stringify(decision));
  const wrong = { kind: "edit_proposal", proposal: 1, action: { fly: {} } };
  expect((await decide(wrong)).body.message).toContain("the edited action is not valid");
  const edited = { kind: "edit_proposal", proposal: 1, action: write("note", "better") };
  expect((await decide(edited)).body).toEqual({
    ok: true,
    message: `${first?.agent}: the edited action is executed`,
  });
  expect((await decide({ kind: "accept_proposal", proposal: 2 })).body.ok).toBe(true);
  const feedback = { kind: "give_feedback", proposal: 3, text: "Write less." };
  expect((await decide(feedback)).body.ok).toBe(true);
  expect((await decide(feedback)).body.message).toContain("proposal 3 is no longer open");
  await expect.poll(async () => (await api.reviews()).reviewed_total).toBeGreaterThan(2);
  const after = await api.reviews();
  expect(after.reviewed.slice(-3).map(({ id, decided }) => [id, decided?.decision])).toEqual([
    [3, { kind: "feedback", text: "Write less." }],
    [2, { kind: "accept" }],
    [1, { kind: "edit", action: write("note", "better") }],
  ]);
  const newest = after.reviewed.slice(0, 1);
  expect((await api.reviews("?limit=1")).reviewed).toEqual(newest);
  launch.runner.stop("signal");
  await ended;
});

it("refuses decisions without the token, and commands that are nested too deeply", async () => {
  const { launch, runs } = reviewedRun(["ann"]);
  const api = apiOf(await dashboardOf(runs, { live: linkTo(launch) }), launch.directory.folder);
  const accept = JSON.stringify({ kind: "accept_proposal", proposal: 1 });
  expect((await api.command(accept, "Bearer wrong")).status).toBe(401);
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const edit = `{"kind":"edit_proposal","proposal":1,"action":${deep}}`;
  expect((await api.command(edit)).status).toBe(400);
  expect((await api.command('{"kind":"give_feedback","proposal":1}')).status).toBe(400);
  launch.runner.stop("signal");
  await launch.run();
});

it("lists the decisions of a finished run, also up to a past moment", async () => {
  const { launch, runs } = reviewedRun(["ann"], ["agents.defaults.review_default=accept"]);
  review(launch.runner, [says("No."), accepts]);
  await launch.run();
  const api = apiOf(await dashboardOf(runs), launch.directory.folder);
  const { reviewed } = await api.reviews();
  expect(reviewed.length).toBeGreaterThan(1);
  expect(reviewed.every(({ decided }) => decided !== null)).toBe(true);
  const first = reviewed.at(-1);
  const then = await api.reviews(`?at=${first?.decided?.seq}`);
  expect(then.reviewed).toEqual([first]);
  expect((await api.command('{"kind":"accept_proposal","proposal":1}')).status).not.toBe(200);
});
