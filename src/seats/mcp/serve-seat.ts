import { createAdaptorServer } from "@hono/node-server";
import {
  createMcpHandler,
  localhostAllowedHostnames,
  validateHostHeader,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Hono } from "hono";
import type { SeatClient } from "../client/seat-client.ts";
import { isSameToken } from "../core/seat-token.ts";
import { seatServer } from "./seat-server.ts";

const HOST = "127.0.0.1";
const BODY_BYTES_MAX = 1_000_000;

/** Serves a seat on the standard input and output, until the client closes its input. */
export const serveOnStdio = async (
  seat: SeatClient,
  input: NodeJS.ReadableStream,
  signal: AbortSignal,
): Promise<void> => {
  const ended = Promise.withResolvers<void>();
  for (const event of ["end", "close", "error"]) input.once(event, () => ended.resolve());
  signal.addEventListener("abort", () => ended.resolve());
  const served = serveStdio(() => seatServer(seat));
  await ended.promise;
  await served.close();
};

type Served =
  | { readonly ok: true; readonly address: string; readonly close: () => Promise<void> }
  | { readonly ok: false; readonly problem: string };

/**
 * Serves a seat by streamable HTTP on this machine only.
 * @param port the port to listen on. 0 selects a free port.
 * @param token the bearer token that each request needs.
 */
export const serveOnHttp = async (
  seat: SeatClient,
  port: number,
  token: string,
): Promise<Served> => {
  const handler = createMcpHandler(() => seatServer(seat), { maxRequestBodySize: BODY_BYTES_MAX });
  const app = new Hono();
  app.use(async (context, next) => {
    const refused = refusalOf((name) => context.req.header(name), { token, address: address() });
    if (refused === null) return await next();
    return context.json({ problem: refused.problem }, refused.status);
  });
  app.all(PATH, ({ req }) => handler.fetch(req.raw));
  app.notFound((context) => context.json({ problem: `the address is ${PATH}` }, 404));
  app.onError((error, context) => context.json({ problem: error.message }, 500));
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  const address = (): string => {
    const bound = server.address();
    const used = bound !== null && typeof bound === "object" ? bound.port : port;
    return `http://${HOST}:${used}${PATH}`;
  };
  const listening = Promise.withResolvers<string | null>();
  server.once("error", (error) =>
    listening.resolve(`cannot serve on ${HOST}:${port}: ${error.message}`),
  );
  server.listen(port, HOST, () => listening.resolve(null));
  const problem = await listening.promise;
  if (problem !== null) return { ok: false, problem };
  const close = async (): Promise<void> => {
    await handler.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { ok: true, address: address(), close };
};

const PATH = "/mcp";

type Refused = { readonly status: 401 | 403 | 421; readonly problem: string };

/** Refuses wrong tokens, other origins, and a `Host` that is not ours (DNS rebinding). */
const refusalOf = (
  header: (name: string) => string | undefined,
  { token, address }: { readonly token: string; readonly address: string },
): Refused | null => {
  const host = header("host") ?? "";
  if (!validateHostHeader(host, localhostAllowedHostnames()).ok) {
    return { status: 421, problem: `host name not allowed; use ${address}` };
  }
  const origin = header("origin");
  if (origin !== undefined && origin !== `http://${host}`) {
    return { status: 403, problem: "requests from other origins are refused" };
  }
  const authorization = header("authorization") ?? "";
  const given = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? "";
  if (isSameToken(given, token)) return null;
  const cure = "send the token of the seat from seats.json as Authorization: Bearer TOKEN";
  const wrong = authorization === "" ? "this request needs a token" : "this token is wrong";
  return { status: 401, problem: `${wrong}; ${cure}` };
};
