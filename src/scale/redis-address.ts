/** Where a Redis server is, as the user gave it. */
export type RedisAddress = {
  /** With user name and password. Must not be printed. */
  readonly url: string;
  /** The same without user name and password, for messages. */
  readonly shown: string;
};

type Parsed =
  | { readonly ok: true; readonly address: RedisAddress }
  | { readonly ok: false; readonly problem: string };

const FORM = "must be the address of a Redis server, such as redis://localhost:6379";
const PORT = 6379;

/**
 * Reads the address of a Redis server: `redis://` or, with TLS, `rediss://`, then optionally
 * `user:password@`, the host, a port, and the number of a database. The problem is a phrase to put
 * after the name of a flag. It does not quote the address, which can have a password.
 */
export const parseRedisAddress = (text: string): Parsed => {
  if (!URL.canParse(text)) return { ok: false, problem: FORM };
  const { protocol, hostname, port, pathname, search, hash } = new URL(text);
  if (protocol !== "redis:" && protocol !== "rediss:") return { ok: false, problem: FORM };
  if (hostname === "") return { ok: false, problem: `${FORM}; the host is missing` };
  if (!/^\/?\d*$/.test(pathname)) {
    return { ok: false, problem: `${FORM}; after the host it can have the number of a database` };
  }
  if (search !== "" || hash !== "") {
    return { ok: false, problem: `${FORM}; it has no parameters` };
  }
  const database = pathname === "/" ? "" : pathname;
  const shown = `${protocol}//${hostname}:${port === "" ? PORT : port}${database}`;
  return { ok: true, address: { url: text, shown } };
};

type Place =
  | Parsed
  /** The environment variable that holds the address. */
  | { readonly ok: true; readonly variable: string };

/** Reads an address, or `env:NAME`. The problem is a phrase to put after the name of a flag. */
export const redisPlaceIn = (text: string): Place => {
  if (!text.startsWith("env:")) return parseRedisAddress(text);
  const variable = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(text)?.[1];
  if (variable !== undefined) return { ok: true, variable };
  return { ok: false, problem: "must name an environment variable after env:" };
};

type Named = {
  /** The flag or the setting that has the text. */
  readonly name: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** The address that a text of `redisPlaceIn` stands for. The problem begins with `name`. */
export const redisAddressAt = (text: string, { name, env }: Named): Parsed => {
  const place = redisPlaceIn(text);
  if (!place.ok) return { ok: false, problem: `${name} ${place.problem}` };
  if ("address" in place) return place;
  const { variable } = place;
  const held = env[variable] ?? "";
  if (held === "")
    return { ok: false, problem: `${name}: set the environment variable ${variable}` };
  const parsed = parseRedisAddress(held);
  return parsed.ok ? parsed : { ok: false, problem: `${name}: ${variable} ${parsed.problem}` };
};
