import { randomInt } from "node:crypto";
import { hostname } from "node:os";
import { connectToRedis, type RedisConnection, redisAddressAt } from "../../scale/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import type { Shell } from "../core/shell.ts";

type Asked = { readonly flag: string; readonly shell: Pick<Shell, "output" | "env"> };

/**
 * Connects to the Redis server that a flag names, itself or by `env:NAME`. Notes when the server is
 * lost and when it is back.
 * @throws CliError if the address is wrong or there is no such server. It never has the password.
 */
export const openRedis = async (
  address: string,
  { flag, shell: { output, env } }: Asked,
): Promise<RedisConnection> => {
  // Commander would print the whole address, with its password, if it parsed the flag.
  const parsed = redisAddressAt(address, { name: flag, env });
  if (!parsed.ok) throw new CliError(parsed.problem);
  const connected = await connectToRedis(parsed.address);
  if (connected.ok) {
    connected.connection.onChange((text) => output.notice(text));
    return connected.connection;
  }
  const exitCode = connected.isUsersMistake ? EXIT.wrongUsage : EXIT.couldNotRun;
  throw new CliError(connected.problem, exitCode);
};

const LETTERS = 4;

/** A name for this process that no other process has, such as `lab-kqzw`. */
export const processName = (): string => {
  const letters = Array.from({ length: LETTERS }, () => String.fromCharCode(97 + randomInt(26)));
  return `${hostname()}-${letters.join("")}`;
};
