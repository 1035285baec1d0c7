import { join } from "node:path";
import { expect, it } from "vitest";
import type { LifeTimeline, MomentPage, MomentView } from "../../../src/page/routes/index.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { simulate } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const marketApi = async () => {
  const runs = join(temporaryFolder(), "runs");
  await simulate(runs, { runId: "market", sets: ["run.duration_s=40"] });
  const { origin } = new URL((await dashboardOf(runs)).addressOf("market"));
  const get = async (path: string) => {
    const answer = await fetch(`${origin}/api/runs/market${path}`);
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  return {
    get,
    page: async (query = ""): Promise<MomentPage> => (await get(`/moments?${query}`)).body,
    lives: async (query = ""): Promise<LifeTimeline> => (await get(`/lives?${query}`)).body,
    moment: async (seq: number, query = ""): Promise<MomentView> =>
      (await get(`/moments/${seq}?${query}`)).body,
  };
};

it("lists moments in pages, filtered by agent, artifact, verb, time and meaning", async () => {
  const api = await marketApi();
  const { total, rows } = await api.page("limit=200");
  expect(rows.length).toBe(Math.min(200, total));
  const [second] = (await api.page("offset=1&limit=1")).rows;
  expect(second).toEqual(rows[1]);
  const { rows: own, total: owned } = await api.page("agent=boole&verb=Building");
  expect(owned).toBeGreaterThan(0);
  expect(own.every(({ actor, verb }) => actor === "boole" && verb === "Building")).toBe(true);
  const artifact = own[0]?.things[0] ?? "";
  const touching = await api.page(`artifact=${artifact}`);
  expect(touching.rows.every(({ things }) => things.includes(artifact))).toBe(true);
  const led = await api.page(`artifact=${artifact}&led=true`);
  expect(led.rows.map(({ seq }) => seq)).toContain(own[0]?.seq);
  const between = await api.page("from=10s&to=20s");
  expect(between.rows.every(({ at_ms }) => at_ms >= 10_000 && at_ms <= 20_000)).toBe(true);
  expect(between.total).toBeGreaterThan(0);
  const found = await api.page("search=what%20is%20on%20sale&limit=1");
  expect(found.rows[0]?.prose).toContain("what is on sale");
  expect((await api.page("agent=boole%27%20or%201")).total).toBe(0);
});

it("shows only what had happened at a past event", async () => {
  const api = await marketApi();
  const { rows } = await api.page("limit=200");
  const last = rows[20]?.seq ?? 0;
  expect((await api.page(`at=${last}`)).total).toBe(21);
  expect((await api.get(`/moments/${rows[21]?.seq}?at=${last}`)).status).toBe(404);
  const past = await api.lives(`at=${last}`);
  const counted = past.lines.flatMap(({ marks }) => marks.filter((_, at) => at % 3 === 1));
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(21);
  expect(Object.values(past.verbs).reduce((sum, count) => sum + count, 0)).toBe(21);
});

it("shows the strip and the verbs of a period", async () => {
  const api = await marketApi();
  const { total, rows } = await api.page("from=10s&to=20s&limit=200");
  const { from_ms, to_ms, verbs, lines } = await api.lives("from=10s&to=20s");
  expect([from_ms, to_ms]).toEqual([10_000, 20_000]);
  const own = Map.groupBy(rows, ({ verb }) => verb);
  expect(total).toBe(rows.length);
  expect(verbs).toEqual(Object.fromEntries([...own].map(([verb, each]) => [verb, each.length])));
  const columns = lines.flatMap(({ marks }) => marks.filter((_, at) => at % 3 === 0));
  expect(columns.every((column) => column >= 0 && column < 300)).toBe(true);
  expect(Math.max(...columns)).toBeGreaterThan(200);
});

it("counts the events of a period, and where they are in it", async () => {
  const api = await marketApi();
  const eventsIn = async (query: string) => (await api.get(`/events?limit=500&${query}`)).body;
  const { total: all } = await eventsIn("");
  for (const filter of ["", "&kind=action_completed", "&principal=ada"]) {
    const { total, rows } = await eventsIn(`from=0:10&to=12s${filter}`);
    expect(total).toBe(rows.length);
    expect(total).toBeGreaterThan(0);
    const times = rows.map(({ at_ms }: { readonly at_ms: number }) => at_ms);
    expect(times.every((ms: number) => ms >= 10_000 && ms <= 12_000)).toBe(true);
    const { total: before } = await eventsIn(`to=9.999s${filter}`);
    const { total: after } = await eventsIn(`from=12.001s${filter}`);
    expect(before + total + after).toBe((await eventsIn(filter)).total);
    const { body: density } = await api.get(`/density?from=0:10&to=12s${filter}`);
    expect(density).toMatchObject({ from_ms: 10_000, to_ms: 12_000, total, all });
    const half = times.filter((ms: number) => ms < 11_000).length;
    expect(density.before[60]).toBe(half);
    expect((await eventsIn(`from=20s&to=10s${filter}`)).total).toBe(0);
  }
});

it("leads from a chosen moment to its artifacts, to other moments and to money", async () => {
  const api = await marketApi();
  const { rows } = await api.page("limit=200&verb=Working");
  const paid = rows.find((row) => row.paid > 0 && row.things.length > 0);
  const chosen = await api.moment(paid?.seq ?? 0);
  const [thread] = chosen.threads;
  expect(chosen.money[0]).toMatchObject({ amount: -chosen.paid, artifact: thread?.artifact });
  expect(thread?.earned).toBeGreaterThanOrEqual(chosen.paid);
  expect(thread?.moments.map(({ seq }) => seq)).toContain(chosen.seq);
  expect(thread?.moments.some(({ wrote }) => wrote)).toBe(true);
  expect(chosen.prose).toContain("💭 ");
  expect((await api.moment(chosen.next ?? 0)).previous).toBe(chosen.seq);
  expect((await api.get("/moments/1")).body.problem).toBe("no moment ended with this event");
  const { body: trail } = await api.get("/agents/boole/trail");
  const named = trail.steps[0].because.mover;
  expect(named.moment).toBe((await api.moment(named.action.seq)).id);
});
