import { request } from "node:http";
import { basename } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Dashboard, LiveLink } from "../../../src/page/index.ts";
import type { OperatorCommand } from "../../../src/run/index.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { type FinishedRun, simulate } from "../../support/simulation-run.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

const out = sharedFolder();
let run: FinishedRun;
beforeAll(async () => {
  run = await simulate(out, { sets: ["run.duration_s=10"] });
});

/** The dashboard of a run that records every command. */
const controlling = async () => {
  const orders: OperatorCommand[] = [];
  const live: LiveLink = {
    runId: () => basename(run.folder),
    pace: () => "going",
    onPace: () => () => {},
    execute: async (order) => {
      orders.push(order);
      return { ok: true, message: "done" };
    },
  };
  const dashboard = await dashboardOf(out, { live });
  return { orders, dashboard, token: tokenOf(dashboard) };
};

type Asked = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string;
};
type Said = { readonly status: number; readonly headers: unknown; readonly text: string };

/** A request with any headers. */
const ask = (
  dashboard: Dashboard,
  path: string,
  { method = "GET", headers = {}, body }: Asked = {},
) =>
  new Promise<Said>((resolve, reject) => {
    const { port } = new URL(dashboard.addressOf(null));
    const sent = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });

const tokenOf = (dashboard: Dashboard): string =>
  /token=([\w-]+)/.exec(dashboard.addressOf(null))?.[1] ?? "";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The cookie as the server sets it; its name contains the port. */
const cookieOf = (dashboard: Dashboard): string =>
  `catallaxy_${new URL(dashboard.addressOf(null)).port}=${tokenOf(dashboard)}`;

const STOP = { method: "POST", body: '{"kind":"stop"}' };

describe("a command", () => {
  it("needs the token as a bearer", async () => {
    const { orders, dashboard, token } = await controlling();
    const withoutIt: readonly Asked["headers"][] = [
      {},
      bearer("wrong"),
      bearer(`${token}x`),
      { authorization: token },
      { cookie: cookieOf(dashboard) },
    ];
    for (const headers of withoutIt) {
      const said = await ask(dashboard, `/api/command?token=${token}`, { ...STOP, headers });
      expect(said.status).toBe(401);
    }
    expect(orders).toEqual([]);
    const said = await ask(dashboard, "/api/command", { ...STOP, headers: bearer(token) });
    expect(said).toMatchObject({ status: 200, text: '{"ok":true,"message":"done"}' });
    expect(orders).toEqual([{ kind: "stop" }]);
  });

  it.each([
    "",
    "null",
    "[]",
    '{"kind":"start"}',
    '{"kind":"stop","now":true}',
    '{"kind":"pause_agent"}',
    `{"kind":"pause_agent","agent":"${"x".repeat(200)}"}`,
  ])("is not a command: %s", async (body) => {
    const { orders, dashboard, token } = await controlling();
    const asked = { method: "POST", headers: bearer(token), body };
    expect((await ask(dashboard, "/api/command", asked)).status).toBe(400);
    expect(orders).toEqual([]);
  });

  it("is refused if the dashboard controls no run", async () => {
    const dashboard = await dashboardOf(out);
    expect(dashboard.addressOf(null)).not.toContain("token");
    expect((await ask(dashboard, "/api/command", STOP)).status).toBe(401);
  });
});

describe("the guard", () => {
  const OTHERS: readonly (readonly [string, Asked["headers"], number])[] = [
    ["a page of another origin", { origin: "http://evil.example" }, 403],
    ["a page of another port", { origin: "http://127.0.0.1:1" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["an image in a page of another site", { "sec-fetch-site": "cross-site" }, 403],
    ["a page of another port, without its origin", { "sec-fetch-site": "same-site" }, 403],
    ["a host name that was made to point here", { host: "evil.example" }, 421],
    ["a host name that only starts well", { host: "127.0.0.1.evil.example" }, 421],
  ];
  it.each(OTHERS)("refuses %s, even with the token", async (_, headers, status) => {
    const { orders, dashboard, token } = await controlling();
    const given = { ...bearer(token), ...headers };
    for (const path of ["/api/runs", `/api/runs/${basename(run.folder)}/agents`]) {
      const said = await ask(dashboard, path, { headers: given });
      expect(said.status).toBe(status);
      expect(said.text).not.toContain(basename(run.folder));
    }
    expect((await ask(dashboard, "/api/command", { ...STOP, headers: given })).status).toBe(status);
    expect(orders).toEqual([]);
  });

  it.each(["localhost", "127.0.0.1", "[::1]"])("allows this machine, as %s", async (name) => {
    const dashboard = await dashboardOf(out);
    const { port } = new URL(dashboard.addressOf(null));
    const headers = { host: `${name}:${port}`, origin: `http://${name}:${port}` };
    expect((await ask(dashboard, "/api/runs", { headers })).status).toBe(200);
  });

  it("needs the token for all data on a host that others can reach", async () => {
    const dashboard = await dashboardOf(out, { host: "0.0.0.0" });
    const token = tokenOf(dashboard);
    const place = `/api/runs/${basename(run.folder)}`;
    for (const path of ["/api/runs", place, `${place}/agents`, "/?token=wrong"]) {
      expect((await ask(dashboard, path)).status).toBe(401);
    }
    const admitted = await ask(dashboard, `/?token=${token}`);
    expect(admitted.status).toBe(303);
    expect(JSON.stringify(admitted.headers)).toMatch(/HttpOnly; SameSite=Strict/);
    const headers = { cookie: cookieOf(dashboard) };
    expect((await ask(dashboard, "/", { headers })).status).toBe(200);
    expect((await ask(dashboard, "/api/runs", { headers })).status).toBe(200);
    expect((await ask(dashboard, "/api/runs", { headers: bearer(token) })).status).toBe(200);
  });
});

describe("every answer", () => {
  const POLICY = /default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'/;
  const PATHS = ["/", "/api/runs", "/api/nothing", "/page.js"];
  it.each(PATHS)("for %s has strict headers", async (path) => {
    const { headers } = await ask(await dashboardOf(out), path);
    expect(headers).toMatchObject({
      "content-security-policy": expect.stringMatching(POLICY),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });

  const NAMES = ["..", "../..", "%2e%2e", "%2e%2e%2fruns", "unknown", "."];
  it.each(NAMES)("for a run called %s is 404", async (name) => {
    expect((await ask(await dashboardOf(out), `/api/runs/${name}/agents`)).status).toBe(404);
  });
});
