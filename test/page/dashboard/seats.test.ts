import { once } from "node:events";
import { request } from "node:http";
import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { Dashboard } from "../../../src/page/index.ts";
import { agentProblem, type Launch } from "../../../src/run/index.ts";
import { SeatClient } from "../../../src/seats/index.ts";
import { verifyJournal } from "../../../src/world/index.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { liveSeats, personaFolder, SEAT_PERSONAS, tokenOf } from "../../support/seats.ts";
import { withJournal } from "../../support/simulation-run.ts";

type Asked = {
  readonly command?: object;
  readonly token?: string;
  readonly signal?: AbortSignal;
  readonly body?: string;
};

const { "bob/agent.yaml": _, ...ONE_SEAT } = SEAT_PERSONAS;

type Wanted = { readonly agents?: string; readonly sets?: readonly string[] };

/** A live run with the seat of ada, and its dashboard. */
const played = async ({ agents = personaFolder(ONE_SEAT), sets = [] }: Wanted = {}) => {
  const { folder, launch, ended } = await liveSeats({ agents, sets });
  const dashboard = await dashboardOf(dirname(folder));
  return { folder, launch, ended, dashboard, token: tokenOf(folder, "ada") };
};

const post = async (
  dashboard: Dashboard,
  place: string,
  { command = {}, token, signal, body = JSON.stringify(command) }: Asked,
) => {
  const { origin } = new URL(dashboard.addressOf(null));
  const answer = await fetch(`${origin}/api/runs/${place}`, {
    method: "POST",
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};

/** The commands of a player with the token of ada. */
const playerOf = ({ folder, dashboard, token }: Awaited<ReturnType<typeof played>>) => {
  const place = `${basename(folder)}/seats/ada`;
  return async (command: object) => {
    const { status, body } = await post(dashboard, place, { command, token });
    expect(status).toBe(200);
    return body;
  };
};

const finish = async (launch: Launch, ended: Promise<unknown>): Promise<void> => {
  launch.runner.stop("signal");
  await ended;
};

describe("a seat on the page", () => {
  it("looks, buys, publishes, sells, writes, waits and bids, and all verifies", async () => {
    const run = await played();
    const play = playerOf(run);
    const first = await play({ kind: "look" });
    expect(first.value).toMatchObject({ id: "ada", to_move: true, balances: { scrip: 100 } });
    await play({ kind: "wait", seconds: 20 });
    const bought = await play({ kind: "buy", id: "shop_doubler", args: "21", max_price: 3 });
    expect(bought.value).toMatchObject({ success: true, result: 42, cost: { scrip: 3 } });
    const fields = { artifact_id: "ada_next", code: "function run(n) { return n + 1 }" };
    expect((await play({ kind: "write", fields })).value).toMatchObject({ success: true });
    const message = { kind: "send", to: "shop", text: "Buy ada_next.", attach: 2 };
    const rest = [
      { kind: "sell", id: "ada_next", price: 4 },
      { kind: "bid", id: "ada_next", amount: 5 },
      message,
      { kind: "search", words: "ada_next" },
      { kind: "invoke", id: "genesis_ledger", method: "balance", args: ["shop"] },
    ];
    for (const command of rest) {
      const { ok, value } = await play(command);
      expect([command.kind, ok, value.success ?? true]).toEqual([command.kind, true, true]);
    }
    const { value: look } = await play({ kind: "look" });
    expect(look.artifacts).toMatchObject([{ id: "ada_next", price: 4 }]);
    expect(look.mint.own).toMatchObject([{ artifact: "ada_next", amount: 5 }]);
    expect(look.mailbox.sent).toMatchObject([{ to: "shop", attached_scrip: 2 }]);
    expect((await play({ kind: "page", page: "toc" })).value.page).toBe("handbook_toc");
    await finish(run.launch, run.ended);
    withJournal(run.folder, (journal) => {
      expect(verifyJournal(journal, agentProblem)).toMatchObject({ ok: true });
    });
    await expect
      .poll(() => play({ kind: "look" }))
      .toMatchObject({ ok: false, problem: expect.stringMatching(/`sim resume/) });
  });

  it("does not pay more than the price that was shown", async () => {
    const play = playerOf(await played());
    await play({ kind: "wait", seconds: 20 });
    const typed = await play({ kind: "buy", id: "shop_doubler", args: "bob 5" });
    expect(typed).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/"bob 5" is not JSON/),
    });
    const refused = await play({ kind: "buy", id: "shop_doubler", args: [21], max_price: 2 });
    expect(refused.value).toMatchObject({ success: false, cost: { scrip: 0 } });
    expect((await play({ kind: "look" })).value.balances.scrip).toBe(100);
  });

  it("takes back a move of a page that has gone before the seat is to move", async () => {
    const run = await played({ sets: ["run.clock=wall"] });
    const { dashboard, folder, token, launch } = run;
    const operator = launch.runner.operate();
    await operator.execute({ kind: "pause" });
    const over = new AbortController();
    const place = `${basename(folder)}/seats/ada`;
    const play = playerOf(run);
    await play({ kind: "look" });
    // The first move is taken at once, and the second waits until the seat is to move again.
    const first = play({ kind: "send", to: "shop", text: "one" });
    const command = { kind: "send", to: "shop", text: "two" };
    const left = post(dashboard, place, { command, token, signal: over.signal });
    over.abort();
    await expect(left).rejects.toThrow(/abort/);
    await operator.execute({ kind: "resume" });
    expect((await first).value).toMatchObject({ success: true });
    const { value } = await play({ kind: "look" });
    expect(value.mailbox.sent).toMatchObject([{ text: "one" }]);
  });
});

describe("a request for a seat", () => {
  it("needs the token of that seat, or that of the dashboard", async () => {
    const { folder, dashboard, token } = await played({
      agents: personaFolder(),
      sets: ["run.clock=wall"],
    });
    const bob = tokenOf(folder, "bob");
    const run = basename(folder);
    const look = { kind: "look" };
    const wrong: readonly (readonly [place: string, token: string | undefined])[] = [
      [`${run}/seats/ada`, undefined],
      [`${run}/seats/ada`, ""],
      [`${run}/seats/ada`, "wrong"],
      [`${run}/seats/ada`, bob],
      [`${run}/seats/shop`, token],
      [`${run}/seats/constructor`, token],
      ["ghost/seats/ada", token],
    ];
    for (const [place, given] of wrong) {
      const asked = given === undefined ? {} : { token: given };
      const said = await post(dashboard, place, { command: look, ...asked });
      expect([place, said.status, said.body]).toEqual([place, 401, { problem: WRONG_TOKEN }]);
    }
    const said = await post(dashboard, `${run}/seats/bob`, { command: look, token: bob });
    expect(said.body.value).toMatchObject({ id: "bob" });
  });

  it.each([
    ["", /^command: /],
    ["[]", /^command: /],
    ['{"kind":"fly"}', /^command\.kind: /],
    ['{"kind":"look","at":5}', /^command: .*"at"/],
    ['{"kind":"sell","id":"x","price":-1}', /^command\.price: /],
    ['{"kind":"bid","id":"x","amount":1.5}', /^command\.amount: /],
    ['{"kind":"wait","seconds":1e9}', /^command\.seconds: /],
  ])("with the body %s is refused in one line", async (body, problem) => {
    const { folder, dashboard, token } = await played();
    const place = `${basename(folder)}/seats/ada`;
    const said = await post(dashboard, place, { token, body });
    expect(said.status).toBe(400);
    expect(said.body.problem).toMatch(problem);
    expect(said.body.problem).not.toContain("\n");
  });

  it("without the token is refused before its body has arrived", async () => {
    const { folder, dashboard } = await played();
    const address = new URL(`/api/runs/${basename(folder)}/seats/ada`, dashboard.addressOf(null));
    const sent = request(address, { method: "POST", headers: { authorization: "Bearer x" } });
    // The server closes the connection of a body that it does not read.
    sent.on("error", () => {});
    sent.write(" ".repeat(1_000));
    const [{ statusCode }] = await once(sent, "response");
    expect(statusCode).toBe(401);
    sent.destroy();
  });

  it("with a body that is too long is refused", async () => {
    const { folder, dashboard, token } = await played();
    const place = `${basename(folder)}/seats/ada`;
    const body = JSON.stringify({ kind: "search", words: "x".repeat(700_000) });
    expect(await post(dashboard, place, { token, body })).toMatchObject({ status: 413 });
  });
});

const WRONG_TOKEN =
  "this request needs the token of the seat; open the full address that " +
  "`sim dashboard RUN --seat NAME` prints";

it("a client without calls closes, and opens again", async () => {
  const { folder } = await liveSeats();
  const seat = new SeatClient(folder, "ada", 0);
  for (const _ of [1, 2]) {
    const answer = await seat.look();
    expect(answer).toMatchObject({ ok: true, value: { id: "ada" } });
    await expect.poll(() => seat.isOpen).toBe(false);
  }
});
