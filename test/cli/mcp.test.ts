import { once } from "node:events";
import { get, type OutgoingHttpHeaders, request } from "node:http";
import { json as bodyOf } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { seatWorld, seatWorldIn, stopped, tokenIn } from "../support/seat-world.ts";
import { MAIN, type RunningSim, sim, startSim } from "../support/sim.ts";
import { sharedFolder } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const VIRTUAL = ["--clock", "virtual"];
const WALL = ["--clock", "wall"];

/** The two generations of the protocol: with a handshake, and without one. */
type Generation = "legacy" | "auto";

const newClient = (mode: Generation = "legacy"): Client => {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  return client;
};

/** A client over stdio, as an assistant starts it. */
const assistant = async (cwd: string, seat: string, mode?: Generation): Promise<Client> => {
  const args = [MAIN, "mcp", "live", "--as", seat];
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd });
  const client = newClient(mode);
  await client.connect(transport);
  return client;
};

/** The text of a tool's answer, and whether it is an error. */
const called = async (client: Client, name: string, args: object = {}) => {
  const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
  const [part] = content;
  if (part?.type !== "text") throw new Error("a tool answers with text");
  return { text: part.text, isError };
};

const jsonOf = async (...given: Parameters<typeof called>) => {
  const { text, isError } = await called(...given);
  if (isError) throw new Error(text);
  return JSON.parse(text);
};

describe("sim mcp on stdio", () => {
  it("lets an assistant play more than 50 moves", async () => {
    const { cwd, run } = await seatWorld(...VIRTUAL);
    const client = await assistant(cwd, "ada");
    expect(client.getInstructions()).toContain("Read handbook_toc first");
    const { tools } = await client.listTools();
    const names = ["look", "wait", "search", "send_message", "read", "write", "invoke"];
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(await jsonOf(client, "wait", { timeout_s: 30 })).toMatchObject({ woke: "message" });
    const { market } = await jsonOf(client, "look");
    expect(market).toMatchObject([{ id: "shop_doubler", price: 3, methods: ["run"] }]);
    await jsonOf(client, "send_message", { to: "shop", text: "adding", reply_to: 1 });
    const code = "function run(n) { return n + 1 }";
    await jsonOf(client, "write", { artifact_id: "ada_next", code, price: 1 });
    for (let n = 0; n < 50; n++) {
      const call = { artifact_id: "ada_next", method: "run", args: [n], reasoning: "a test" };
      expect(await jsonOf(client, "invoke", call)).toMatchObject({ success: true, result: n + 1 });
    }
    expect(await jsonOf(client, "search", { words: "doubles" })).toMatchObject({ success: true });
    const page = await jsonOf(client, "read", { artifact_id: "handbook_toc" });
    expect(JSON.stringify(page.result)).toContain("# Contents");
    await client.close();
    expect(await stopped(run)).toBe(130);
    expect(sim(cwd, "verify", "live").code).toBe(0);
  });

  it("says to a client without a handshake that the run has ended, and works after a resume", async () => {
    const { cwd, run } = await seatWorld(...WALL);
    const client = await assistant(cwd, "ada", "auto");
    expect(client.getProtocolEra()).toBe("modern");
    await jsonOf(client, "look");
    await stopped(run);
    const over = "live is not running; `sim resume live` continues it";
    expectRefusal(sim(cwd, "mcp", "live", "--as", "ada"), 3, over);
    expect(await called(client, "look")).toMatchObject({ isError: true });
    const { isError, text } = await called(client, "look");
    expect([isError, text]).toEqual([true, expect.stringContaining("`sim resume live`")]);
    const resumed = startSim(cwd, "resume", "live");
    await resumed.until(/run live in/);
    expect(await jsonOf(client, "look")).toMatchObject({ id: "ada" });
    await stopped(resumed);
  });
});

/** Serves the seat of ada on HTTP until `stop`. */
const httpServer = async (cwd: string) => {
  const server = startSim(cwd, "mcp", "live", "--as", "ada", "--http", "0");
  await server.until(/serving the seat of ada on http\S+\n/);
  const [address = ""] = /http\S+/.exec(server.outputSoFar().out) ?? [];
  const stop = async (): Promise<void> => {
    server.kill("SIGTERM");
    expect((await server.ended).code).toBe(143);
  };
  return { address: new URL(address), token: tokenIn(cwd, "ada"), stop };
};

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const connected = async (address: URL, token: string, mode?: Generation): Promise<Client> => {
  const requestInit = { headers: bearer(token) };
  const client = newClient(mode);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
  return client;
};

it("a client is told the feedback of a review if its action is not accepted", async () => {
  const review = ["review=actions", "review_default=refuse"];
  const sets = review.flatMap((setting) => ["--set", `agents.defaults.${setting}`]);
  const { cwd } = await seatWorld(...VIRTUAL, ...sets);
  const { address, token, stop } = await httpServer(cwd);
  onTestFinished(stop);
  const client = await connected(address, token);
  expect(await called(client, "send_message", { to: "bob", text: "hello" })).toEqual({
    isError: true,
    text: "not done: no reviewer has accepted this action",
  });
});

describe("sim mcp on HTTP", () => {
  const cwd = sharedFolder();
  let run: RunningSim;
  let server: Awaited<ReturnType<typeof httpServer>>;
  const connect = (mode?: Generation): Promise<Client> =>
    connected(server.address, server.token, mode);

  beforeAll(async () => {
    ({ run } = await seatWorldIn(cwd, ...WALL));
    server = await httpServer(cwd);
  });
  afterAll(async () => {
    await server.stop();
    await stopped(run);
    expect(sim(cwd, "verify", "live").code).toBe(0);
  });

  it("lets a client with the token of the seat play", async () => {
    const client = await connect();
    await jsonOf(client, "wait", { timeout_s: 60 });
    const call = { artifact_id: "shop_doubler", method: "run", args: [21] };
    expect(await jsonOf(client, "invoke", call)).toMatchObject({ result: 42 });
    const burst = Array.from({ length: 60 }, (_, n) =>
      n % 2 === 0 ? called(client, "look") : called(client, "invoke", call),
    );
    const answers = await Promise.all(burst);
    const errors = answers.filter(({ isError }) => isError);
    expect(errors.length).toBeLessThan(answers.length);
    for (const { text } of errors) expect(text).toMatch(/has a move in flight|at most 32 requests/);
    expect(await jsonOf(client, "look")).toMatchObject({ id: "ada" });
    const newer = await connect("auto");
    expect(newer.getProtocolEra()).toBe("modern");
    expect(await jsonOf(newer, "look")).toMatchObject({ id: "ada" });
  });

  it("answers with the message of the world if an action is refused", async () => {
    const client = await connect();
    const refused = await called(client, "invoke", {
      artifact_id: "genesis_ledger",
      method: "transfer",
      args: ["bob", 1_000_000],
    });
    expect(refused).toEqual({
      isError: true,
      text: expect.stringMatching(/^insufficient_funds: /),
    });
    const unknown = await called(client, "invoke", { artifact_id: "nothing", method: "run" });
    expect(unknown).toEqual({ isError: true, text: expect.stringMatching(/^not_found: /) });
    const wrong = await called(client, "write", { artifact_id: "ada_x", prise: 4 });
    expect(wrong.text).toContain("did you mean `price`");
    const missing = await called(client, "send_message", { to: "bob" });
    expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining("text")]);
  });

  it("has the handbook, artifacts and the own state as resources", async () => {
    const client = await connect();
    const uris = async () => (await client.listResources()).resources.map(({ uri }) => uri);
    await expect.poll(uris).toContain("artifact://shop_doubler");
    expect(await uris()).toEqual(expect.arrayContaining(["seat://me", "handbook://handbook_toc"]));
    const textAt = async (uri: string): Promise<string> => {
      const [part] = (await client.readResource({ uri })).contents;
      return part !== undefined && "text" in part ? part.text : "";
    };
    expect(JSON.parse(await textAt("seat://me"))).toMatchObject({ id: "ada", clock: "wall" });
    expect(await textAt("handbook://handbook_actions")).toMatch(/^# /);
    expect(JSON.parse(await textAt("artifact://shop_doubler"))).toMatchObject({ price: 3 });
    await expect(client.readResource({ uri: "artifact://nothing" })).rejects.toThrow(
      /does not show/,
    );
    await expect(client.readResource({ uri: "handbook://x" })).rejects.toThrow(/there is no page/);
  });

  it("reports progress while a call waits, and ends it if the client cancels it", async () => {
    const client = await connect();
    const cancelling = new AbortController();
    const told: string[] = [];
    const call = client.callTool(
      { name: "wait", arguments: { timeout_s: 3_000 } },
      {
        signal: cancelling.signal,
        onprogress: ({ message }) => {
          told.push(message ?? "");
          cancelling.abort();
        },
      },
    );
    await expect(call).rejects.toThrow();
    expect(told).toEqual(["waiting"]);
    expect(await jsonOf(client, "look")).toMatchObject({ id: "ada" });
  });

  it("is refused with one clear line", () => {
    const mcp = (...args: readonly string[]) => sim(cwd, "mcp", "live", ...args);
    expectRefusal(mcp("--as", "shop"), 1, 'live has no seat "shop"; there are ada, bob');
    expectRefusal(mcp(), 2, /required option '--as <name>'/);
    expectRefusal(mcp("--as", "ada", "--http", "x"), 2, /a port number from 0 to 65535/);
  });

  it("refuses all other requests", async () => {
    const { address, token } = server;
    /** The status of a request over a connection of its own. Null if it is closed before. */
    const status = (headers: OutgoingHttpHeaders, body: string | null = "{}", to = address) =>
      new Promise<number | null>((resolve) => {
        const method = body === null ? "GET" : "POST";
        const asked = request(to, { method, headers, agent: false }, ({ statusCode = null }) =>
          resolve(statusCode),
        );
        asked.on("error", () => resolve(null));
        asked.end(body ?? undefined);
      });
    const tooLong = `"${"x".repeat(1_100_000)}"`;
    const accept = { accept: "application/json, text/event-stream" };
    const json = { ...accept, "content-type": "application/json" };
    expect(await status(json)).toBe(401);
    expect(await status({ ...json, ...bearer("x") })).toBe(401);
    expect(await status({ ...json, ...bearer(tokenIn(cwd, "bob")) })).toBe(401);
    await expect(connected(address, tokenIn(cwd, "bob"))).rejects.toThrow();
    const own = { ...json, ...bearer(token) };
    expect(await status({ ...own, origin: "http://evil.example" })).toBe(403);
    expect(await status({ ...own, origin: "http://localhost:1" })).toBe(403);
    expect(await status(own, "{")).toBe(400);
    expect(await status(own, "[]")).toBe(400);
    // The server may close the connection before the client has sent the whole body.
    expect([413, null]).toContain(await status(own, tooLong));
    expect(await status(own, null)).toBe(405);
    expect(await status(own, "{}", new URL("/other", address))).toBe(404);
    expect(await status({ ...own, host: "evil.example" })).toBe(421);
    const problemOf = async (headers: OutgoingHttpHeaders) => {
      const [response] = await once(get(address, { headers, agent: false }), "response");
      return await bodyOf(response);
    };
    const cure = "send the token of the seat from seats.json as Authorization: Bearer TOKEN";
    expect(await problemOf({ ...own, host: "evil.example" })).toEqual({
      problem: `host name not allowed; use ${address}`,
    });
    expect(await problemOf(json)).toEqual({ problem: `this request needs a token; ${cure}` });
    expect(await problemOf({ ...json, ...bearer("x") })).toEqual({
      problem: `this token is wrong; ${cure}`,
    });
    const client = await connect();
    expect(await jsonOf(client, "look")).toMatchObject({ id: "ada" });
  });
});
