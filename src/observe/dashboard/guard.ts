import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";

/** Who may ask what. */
export type GuardRules = {
  /** The address that the server is bound to. */
  readonly host: string;
  /** The names under which this machine may be asked for, besides addresses. */
  readonly hostNames: readonly string[];
  /** Needed for what changes a run, and for everything where the host is not loopback. */
  readonly token: string;
};

/** A browser gives a cookie to all ports of a host: each has its own, by the `Host` asked for. */
export const cookieAt = (host: string | undefined): string =>
  `catallaxy_${/:(\d+)$/.exec(host ?? "")?.[1] ?? "80"}`;

/** Addresses that only this machine can reach. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * Nothing is loaded from elsewhere, nothing in the page's text can run, nobody may frame it, and
 * nothing of it is kept or told to others.
 */
const HEADERS: readonly (readonly [string, string])[] = [
  [
    "Content-Security-Policy",
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "no-referrer"],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Permissions-Policy", "camera=(), geolocation=(), microphone=()"],
  ["Cache-Control", "no-store"],
];

export const withHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of HEADERS) context.res.headers.set(name, value);
};

/**
 * Lets in only requests that were meant for this server, from its own page or from no page at all,
 * and with the token where one is needed. A page of another origin is told nothing: it has no
 * token, names its origin, and is given no leave to read. A name that is made to point at this
 * machine is not one of its names.
 */
export const guarded =
  (rules: GuardRules): MiddlewareHandler =>
  async (context, next) => {
    const { req } = context;
    const host = req.header("host") ?? "";
    if (!isOwnName(host, rules)) return context.json({ problem: "this is not that host" }, 421);
    const origin = req.header("origin");
    if (origin !== undefined && origin !== `http://${host}`) {
      return context.json({ problem: "other origins may not ask" }, 403);
    }
    const site = req.header("sec-fetch-site") ?? "none";
    const isPage = req.method === "GET" && req.path === "/";
    if (site !== "same-origin" && site !== "none" && !isPage) {
      return context.json({ problem: "other sites may not ask" }, 403);
    }
    const isReading = req.method === "GET" || req.method === "HEAD";
    const told = bearerOf(req.header("authorization"));
    const shown = isReading ? (told ?? getCookie(context, cookieAt(host))) : told;
    const isOpen = isReading && isLoopback(rules.host);
    if (isOpen || isSame(shown, rules.token)) return await next();
    if (isPage && req.query("token") !== undefined) return await next();
    const cure = "the address that `sim` printed has the token";
    return context.json({ problem: `this needs the token; ${cure}` }, 401);
  };

export const isSame = (given: string | undefined, token: string): boolean => {
  const [one, other] = [Buffer.from(given ?? ""), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
};

const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer (\S+)$/.exec(header ?? "")?.[1];

/** Whether the `Host` of a request names this machine as it may be asked for. */
const isOwnName = (header: string, { host, hostNames }: GuardRules): boolean => {
  const name = header
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  if (isLoopback(host)) return isLoopback(name);
  return isIP(name) !== 0 || name === "localhost" || hostNames.includes(name);
};
