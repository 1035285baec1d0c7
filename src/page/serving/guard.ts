import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import { isSameToken } from "../../seats/index.ts";

type OriginRules = {
  readonly host: string;
  /** Host names that a `Host` header may contain, besides IP addresses. */
  readonly hostNames: readonly string[];
};

type TokenRules = {
  readonly host: string;
  /** The token to control a run. If the host is not loopback, all requests for data need it. */
  readonly token: string;
  /** True if reading needs the token on a loopback host too. */
  readonly isPrivate: boolean;
};

/** The name of the cookie. Contains the port, because all ports of a host share cookies. */
export const cookieAt = (host: string | undefined): string =>
  `catallaxy_${/:(\d+)$/.exec(host ?? "")?.[1] ?? "80"}`;

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Headers that forbid resources from other origins, inline code, frames, caching and referrers. */
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

/** Refuses other origins and sites, and a `Host` that is not ours (DNS rebinding). */
export const withOrigin =
  (rules: OriginRules): MiddlewareHandler =>
  async (context, next) => {
    const { req } = context;
    const host = req.header("host") ?? "";
    if (!isOwnName(host, rules)) return context.json({ problem: "host name not allowed" }, 421);
    const origin = req.header("origin");
    if (origin !== undefined && origin !== `http://${host}`) {
      return context.json({ problem: "requests from other origins are refused" }, 403);
    }
    const site = req.header("sec-fetch-site") ?? "none";
    const isPage = req.method === "GET" && req.path === "/";
    if (site !== "same-origin" && site !== "none" && !isPage) {
      return context.json({ problem: "requests from other sites are refused" }, 403);
    }
    return await next();
  };

/** Refuses requests without the token, except for reading on a loopback host. */
export const withToken =
  (rules: TokenRules): MiddlewareHandler =>
  async (context, next) => {
    const { req } = context;
    const isReading = req.method === "GET" || req.method === "HEAD";
    const bearer = bearerOf(req.header("authorization"));
    const cookie = getCookie(context, cookieAt(req.header("host")));
    const given = isReading ? (bearer ?? cookie) : bearer;
    const isOpen = isReading && isLoopback(rules.host) && !rules.isPrivate;
    if (isOpen || isSameToken(given ?? "", rules.token)) return await next();
    return context.json({ problem: NEEDS_TOKEN }, 401);
  };

const NEEDS_TOKEN = "this request needs a token; open the full address that `sim` printed";

export const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer (\S+)$/.exec(header ?? "")?.[1];

const isOwnName = (header: string, { host, hostNames }: OriginRules): boolean => {
  const name = header
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  if (isLoopback(host)) return isLoopback(name);
  return isIP(name) !== 0 || name === "localhost" || hostNames.includes(name);
};
