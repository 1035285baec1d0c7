import { once } from "node:events";
import { request } from "node:http";
import { basename, join } from "node:path";
import { expect, it, vi } from "vitest";
import type { Dashboard, LiveLink } from "../../../src/page/index.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { copyRecordedRun, damageRecordedRun } from "../../support/recorded-run.ts";
import { resumeRun, simulate } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const LIVE: LiveLink = {
  runId: () => null,
  pace: () => "going",
  onPace: () => () => {},
  execute: async () => ({ ok: true, message: "done" }),
};

/** Starts to send a command with these headers. The body is left to the test. */
const startCommand = (dashboard: Dashboard, headers: Readonly<Record<string, string | number>>) => {
  const address = dashboard.addressOf(null);
  const [, token = ""] = /token=([\w-]+)/.exec(address) ?? [];
  const authorization = `Bearer ${token}`;
  const sent = request(new URL("/api/command", address), {
    method: "POST",
    headers: { authorization, ...headers },
  });
  // The server closes the connection of a body that it does not read.
  sent.on("error", () => {});
  return sent;
};

const answerTo = async (dashboard: Dashboard, path: string) => {
  const answer = await fetch(`${new URL(dashboard.addressOf(null)).origin}/api${path}`);
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};

it.each([
  ["a length of 256 MB", { "content-length": 256 * 1024 * 1024 }],
  ["no length", { "transfer-encoding": "chunked" }],
])("refuses a large command with %s before the body has arrived", async (_, headers) => {
  const sent = startCommand(await dashboardOf(temporaryFolder(), { live: LIVE }), headers);
  sent.write(" ".repeat(700_000));
  const [{ statusCode }] = await once(sent, "response");
  expect(statusCode).toBe(413);
  sent.destroy();
});

it("prints nothing if a client leaves in the middle of a command", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  const dashboard = await dashboardOf(temporaryFolder(), { live: LIVE });
  const sent = startCommand(dashboard, { "content-length": 100, expect: "100-continue" });
  sent.flushHeaders();
  await once(sent, "continue");
  sent.write("{");
  sent.destroy();
  expect((await answerTo(dashboard, "/runs")).status).toBe(200);
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});

it("knows the event of a moment", async () => {
  const folder = temporaryFolder();
  copyRecordedRun(folder);
  const dashboard = await dashboardOf(join(folder, "runs"));
  const moment = (at: string) => answerTo(dashboard, `/runs/kept/moment?at=${at}`);
  const { body: start } = await moment("0s");
  expect(await moment(`event:${start.seq}`)).toEqual({ status: 200, body: start });
  expect((await moment("1h")).body.problem).toMatch(/^3600s: this run covers 0 s to /);
  expect((await moment("soon")).body.problem).toMatch(/^"soon" is not a moment; write a time /);
});

it.each(["%00", "kept%00", "%E0%A4%A", "..%2Fkept"])(
  "does not know a run with the address %s",
  async (name) => {
    const folder = temporaryFolder();
    copyRecordedRun(folder);
    const dashboard = await dashboardOf(join(folder, "runs"));
    for (const path of [`/runs/${name}`, `/runs/${name}/agents`, `/runs/kept/compare/${name}`]) {
      const problem = "this run does not exist";
      expect(await answerTo(dashboard, path)).toEqual({ status: 404, body: { problem } });
    }
  },
);

it("answers with the newest events, even if no page follows the run", async () => {
  const out = temporaryFolder();
  const { folder } = await simulate(out, { sets: ["run.duration_s=2"] });
  const runId = basename(folder);
  const dashboard = await dashboardOf(out);
  const { body: before } = await answerTo(dashboard, `/runs/${runId}`);
  await resumeRun(folder, { sets: ["run.duration_s=2"], order: { additionalS: 2 } });
  const { body: after } = await answerTo(dashboard, `/runs/${runId}`);
  expect([before.at_ms, after.at_ms]).toEqual([2_000, 4_000]);
  const { body: agents } = await answerTo(dashboard, `/runs/${runId}/agents`);
  expect(agents.rows.length).toBe(after.agents);
});

it("names the damage of a journal in each answer", async () => {
  const folder = temporaryFolder();
  damageRecordedRun(folder);
  const dashboard = await dashboardOf(join(folder, "runs"));
  const damaged = /journal\.db is damaged: event 43 .* use a copy/;
  for (const path of ["/metrics", "/kinds", "/compare/kept", ""]) {
    const { status, body } = await answerTo(dashboard, `/runs/kept${path}`);
    expect({ status, problem: body.problem }).toMatchObject({
      status: expect.toSatisfy((code) => code === 404 || code === 500),
      problem: expect.stringMatching(damaged),
    });
  }
});
