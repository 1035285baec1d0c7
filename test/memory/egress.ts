/**
 * Preloaded into a process, and so into its threads. A test must not import it: the tests of a worker
 * share one process, and later ones could connect to nothing. Notes each host that they connect to or look
 * up, and allows connections to this machine only.
 */
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import net from "node:net";
import { egressLog } from "./egress-log.ts";

const note = (host: string): void => appendFileSync(egressLog(process.pid), `${host}\n`);

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]) {
  const [options] = [given].flat(2) as [{ host?: string; port?: number }];
  const host = options.host ?? "localhost";
  note(`${host}:${options.port}`);
  if (host !== "127.0.0.1") throw new Error(`no way out to ${host}`);
  return Reflect.apply(connect, this, given);
};

const lookup = dns.lookup;
dns.lookup = ((host: string, ...rest: unknown[]) => {
  note(host);
  return Reflect.apply(lookup, dns, [host, ...rest]);
}) as typeof dns.lookup;
