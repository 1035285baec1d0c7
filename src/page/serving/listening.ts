import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";

/** Where to listen. The port 0 selects a free port. */
export type ListenPlace = { readonly host: string; readonly port: number };

/** Why a server cannot listen. `wrong` is the option to change, or null for no option. */
export type ListenProblem = { readonly problem: string; readonly wrong: "port" | "host" | null };

export type Listening = {
  /** The URL of the server, with the port that was found and a slash at the end. */
  readonly url: string;
  /** Waits a moment for open requests, then closes their connections. */
  readonly close: () => Promise<void>;
};

type Fetch = Parameters<typeof createAdaptorServer>[0]["fetch"];

/** Answers HTTP requests by `fetch` until the server is closed. */
export const listen = async (
  place: ListenPlace,
  fetch: Fetch,
): Promise<
  { readonly ok: true; readonly server: Listening } | ({ readonly ok: false } & ListenProblem)
> => {
  const { host, port } = place;
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false });
  const listening = Promise.withResolvers<null | NodeJS.ErrnoException>();
  server.once("error", (error) => listening.resolve(error));
  server.listen(port, host, () => listening.resolve(null));
  const error = await listening.promise;
  if (error !== null) return { ok: false, ...problemOf(place, error) };
  const bound = server.address();
  const found = bound !== null && typeof bound === "object" ? bound.port : port;
  return { ok: true, server: { url: urlOf(host, found), close: () => ended(server) } };
};

const urlOf = (host: string, port: number): string => {
  const name = host === "0.0.0.0" || host === "::" ? hostname() : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}/`;
};

const END_REQUESTS_MS = 100;

const ended = async (server: ReturnType<typeof createAdaptorServer>): Promise<void> => {
  const over = Promise.withResolvers<void>();
  server.close(() => over.resolve());
  if (!("closeAllConnections" in server)) return await over.promise;
  server.closeIdleConnections();
  await Promise.race([over.promise, setTimeout(END_REQUESTS_MS, undefined, { ref: false })]);
  server.closeAllConnections();
  await over.promise;
};

const problemOf = (
  { host, port }: ListenPlace,
  { code, message }: NodeJS.ErrnoException,
): ListenProblem => {
  switch (code) {
    case "EADDRINUSE":
      return { problem: `port ${port} of ${host} is in use`, wrong: "port" };
    case "EACCES":
      return { problem: `no permission for port ${port}; use one above 1023`, wrong: "port" };
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return { problem: `${host} is not an address of this machine`, wrong: "host" };
    default:
      return { problem: `cannot serve on ${host}:${port}: ${message}`, wrong: null };
  }
};
