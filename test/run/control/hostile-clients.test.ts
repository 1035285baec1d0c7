import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ControlServer } from "../../../src/run/control/control-server.ts";
import {
  type ControlMethods,
  controlMethod,
  LINE_CHARS_MAX,
  OPERATOR_METHODS,
  refusal,
} from "../../../src/run/control/protocol.ts";
import { SEAT_METHODS } from "../../../src/seats/index.ts";
import { controlAddress } from "../../support/seats.ts";
import { prepareRun, SMALL_WORLD } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Connects to a channel as any program could: lines of text, without the client. */
const rawClient = async (folder: string) => {
  const socket: Socket = connect(controlAddress(folder));
  socket.on("error", () => {});
  await once(socket, "connect");
  onTestFinished(() => void socket.destroy());
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  /** The next response, or null if the connection has ended. */
  const next = async () => {
    const { value, done } = await lines.next();
    return done === true ? null : JSON.parse(value);
  };
  const ask = (line: string) => {
    socket.write(`${line}\n`);
    return next();
  };
  return { socket, next, ask };
};

const request = (id: unknown, params: unknown = { kind: "step" }, method = "operate"): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

const DONE = { ok: true, message: "done" };

const REPEAT = { params: z.strictObject({ text: z.string() }), result: z.string() };

/** A channel on which `pause_agent` waits until the client cancels the request or vanishes. */
const channel = async () => {
  const folder = temporaryFolder();
  const log: string[] = [];
  const methods: ControlMethods = {
    operate: controlMethod(OPERATOR_METHODS.operate, async (command, { signal }) => {
      if (command.kind !== "pause_agent") return { ok: true, value: DONE };
      log.push(`started ${command.agent}`);
      await once(signal, "abort");
      log.push(`ended ${command.agent}`);
      return { ok: false, reason: "refused", problem: "cancelled" };
    }),
    repeat: controlMethod(REPEAT, async ({ text }) => ({
      ok: true,
      value: text.repeat(LINE_CHARS_MAX),
    })),
    seat_act: controlMethod(SEAT_METHODS.seat_act, async () => refusal("no seat")),
  };
  const opened = await ControlServer.open(folder, () => Promise.resolve(methods));
  if (!opened.ok) throw new Error(opened.problem);
  const { control } = opened;
  onTestFinished(() => control.close());
  return { folder, log, control };
};

const wait = (id: unknown): string => request(id, { kind: "pause_agent", agent: `a${id}` });

const PARSE = -32_700;
const INVALID = -32_600;
const UNKNOWN = -32_601;
const PARAMS = -32_602;
const BUSY = 4;

const SEAT = { agent: "ada", token: "x" };

it.each([
  ["no JSON", "{", null, PARSE, "this line is not JSON"],
  ["null", "null", null, INVALID, "not a request; send {"],
  ["a number", "7", null, INVALID, "not a request"],
  ["a batch", `[${request(1)}]`, null, INVALID, "not a request"],
  ["another version", '{"jsonrpc":"1.0","id":1,"method":"operate"}', 1, INVALID, "not a request"],
  ["no id", '{"jsonrpc":"2.0","method":"operate"}', null, INVALID, "not a request"],
  ["an object as id", request({}), null, INVALID, "not a request"],
  ["an unknown field", '{"jsonrpc":"2.0","id":"x","method":"m","y":1}', "x", INVALID, "not a req"],
  ["an unknown method", request(1, {}, "exit"), 1, UNKNOWN, 'there is no method "exit"; the met'],
  ["a method of all objects", request(1, {}, "constructor"), 1, UNKNOWN, "there is no method"],
  ["no params", request(1, null), 1, PARAMS, "params: Invalid input"],
  ["params in a list", request(1, ["pause"]), 1, PARAMS, "params: Invalid input"],
  ["an unknown command", request(1, { kind: "explode" }), 1, PARAMS, "params.kind: Invalid discr"],
  ["an unknown param", request(1, { kind: "step", by: 2 }), 1, PARAMS, "params: Unrecognized key"],
  [
    "half a character",
    request(1, { ...SEAT, action: {}, reasoning: "\ud800" }, "seat_act"),
    1,
    PARAMS,
    "params.reasoning: text must be well-formed Unicode",
  ],
  ["deep nesting", `${"[".repeat(99_000)}${"]".repeat(99_000)}`, null, INVALID, "not a request"],
  ["a line without end", "x".repeat(300_000), null, INVALID, "a line has at most 200000 charac"],
])("%s is answered with an error, and the client can go ahead", async (_, line, id, code, text) => {
  const { folder } = await channel();
  const { ask } = await rawClient(folder);
  const { error, ...rest } = await ask(line);
  expect(rest).toEqual({ jsonrpc: "2.0", id });
  expect(error).toEqual({ code, message: expect.stringContaining(text) });
  expect(await ask(request(2))).toEqual({ jsonrpc: "2.0", id: 2, result: DONE });
});

it("a result that is longer than a line is answered with an error", async () => {
  const { folder } = await channel();
  const { ask } = await rawClient(folder);
  const message = "the result has more than 200000 characters";
  expect(await ask(request(1, { text: "x" }, "repeat"))).toEqual({
    jsonrpc: "2.0",
    id: 1,
    error: { code: INVALID, message },
  });
});

it("any bytes are answered with errors only", async () => {
  const { folder } = await channel();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 })), async (chunks) => {
      const { socket, next } = await rawClient(folder);
      for (const chunk of chunks) socket.write(chunk);
      socket.write(`\n${request("last")}\n`);
      let response = await next();
      while (response?.error !== undefined) response = await next();
      expect(response).toEqual({ jsonrpc: "2.0", id: "last", result: DONE });
      socket.destroy();
    }),
    { numRuns: 50 },
  );
});

it("a line can arrive in pieces, and several lines at once", async () => {
  const { folder } = await channel();
  const { socket, next } = await rawClient(folder);
  const [start, end] = [request("é1").slice(0, 9), request("é1").slice(9)];
  socket.write(start);
  await turn();
  socket.write(`${end}\r\n\n${request("é2")}\n${request("é3")}\n`);
  expect([await next(), await next(), await next()].map(({ id }) => id)).toEqual([
    "é1",
    "é2",
    "é3",
  ]);
});

describe("a request that waits", () => {
  it("ends when the client cancels it", async () => {
    const { folder, log } = await channel();
    const { socket, ask, next } = await rawClient(folder);
    socket.write(`${wait(1)}\n${wait(2)}\n`);
    await expect.poll(() => log).toEqual(["started a1", "started a2"]);
    const cancel = { jsonrpc: "2.0", method: "$/cancelRequest" };
    socket.write(`${JSON.stringify({ ...cancel, params: { id: 9 } })}\n`);
    const error = { code: 1, message: "cancelled" };
    expect(await ask(JSON.stringify({ ...cancel, params: { id: 2 } }))).toMatchObject({
      id: 2,
      error,
    });
    socket.write(`${JSON.stringify({ ...cancel, params: { id: 1 } })}\n`);
    expect(await next()).toMatchObject({ id: 1, error });
  });

  it("does not hold up other requests", async () => {
    const { folder } = await channel();
    const { socket, ask } = await rawClient(folder);
    socket.write(`${wait(1)}\n`);
    expect(await ask(request(2))).toMatchObject({ id: 2, result: DONE });
  });

  it("ends when the client vanishes", async () => {
    const { folder, log } = await channel();
    const { socket } = await rawClient(folder);
    socket.write(`${wait(1)}\n`);
    await expect.poll(() => log).toEqual(["started a1"]);
    socket.destroy();
    await expect.poll(() => log).toEqual(["started a1", "ended a1"]);
  });

  it("ends when the run ends", async () => {
    const { folder, log, control } = await channel();
    const { socket, next } = await rawClient(folder);
    socket.write(`${wait(1)}\n`);
    await expect.poll(() => log).toEqual(["started a1"]);
    await control.close();
    expect(await next()).toBeNull();
    await expect.poll(() => log).toEqual(["started a1", "ended a1"]);
  });

  it("keeps its id for itself", async () => {
    const { folder } = await channel();
    const { socket, ask } = await rawClient(folder);
    socket.write(`${wait(1)}\n`);
    const message = "an earlier request with this id has no response";
    expect(await ask(request(1))).toMatchObject({ id: 1, error: { code: INVALID, message } });
  });

  it("is one of at most 32 of a connection", async () => {
    const { folder } = await channel();
    const { socket, ask } = await rawClient(folder);
    for (let id = 1; id <= 32; id += 1) socket.write(`${wait(id)}\n`);
    const message = "at most 32 requests of a connection wait for their response";
    expect(await ask(request(33))).toMatchObject({ id: 33, error: { code: BUSY, message } });
    const other = await rawClient(folder);
    expect(await other.ask(request(1))).toMatchObject({ result: DONE });
  });
});

describe("a client", () => {
  it("that says nothing does not hold up the end of the run", async () => {
    const { folder, control } = await channel();
    const { next } = await rawClient(folder);
    await control.close();
    expect(await next()).toBeNull();
  });

  it("is one of at most 128", async () => {
    const { folder } = await channel();
    const clients: Awaited<ReturnType<typeof rawClient>>[] = [];
    for (let count = 0; count < 128; count += 1) clients.push(await rawClient(folder));
    const late = await rawClient(folder);
    const message = "a run has at most 128 connections; close one of them";
    expect(await late.next()).toMatchObject({ id: null, error: { code: BUSY, message } });
    expect(await late.next()).toBeNull();
    clients[0]?.socket.destroy();
    await expect
      .poll(async () => (await (await rawClient(folder)).ask(request(1)))?.result)
      .toEqual(DONE);
  });

  it("that reads no responses loses its connection", async () => {
    const { folder } = await channel();
    const socket = connect(controlAddress(folder));
    const ended = new Promise((close) => socket.once("close", close));
    socket.on("error", () => {});
    const line = `${request("x".repeat(10_000))}\n`;
    const fill = (): void => {
      while (!socket.destroyed && socket.write(line));
    };
    socket.on("drain", fill);
    socket.pause();
    fill();
    await ended;
    const { ask } = await rawClient(folder);
    expect(await ask(request(1))).toMatchObject({ result: DONE });
  });
});

it("a flood of lines does not stop a run at full speed", async () => {
  const launch = prepareRun(temporaryFolder(), { sets: ["run.duration_s=20", SMALL_WORLD] });
  await launch.openControl();
  const socket = connect(controlAddress(launch.directory.folder));
  socket.on("error", () => {});
  await once(socket, "connect");
  onTestFinished(() => void socket.destroy());
  let responses = 0;
  createInterface({ input: socket }).on("line", () => {
    responses += 1;
  });
  const line = `${request("x", { kind: "resume" })}\n{\n`.repeat(100);
  const flood = (): void => {
    while (!socket.destroyed && socket.write(line));
  };
  socket.on("drain", flood);
  flood();
  expect(await launch.run()).toMatchObject({ stoppedBy: "duration", problem: null });
  expect(responses).toBeGreaterThan(0);
});
