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
