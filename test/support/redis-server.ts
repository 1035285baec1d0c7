import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

const GIVEN = process.env.CATALLAXY_REDIS_URL;

/** Whether tests can start a server of their own, and kill it. */
export const canStartRedis =
  spawnSync("redis-server", ["--version"], { stdio: "ignore" }).status === 0;

/** Whether tests have a server. */
export const hasRedis = canStartRedis || GIVEN !== undefined;

if (!hasRedis) {
  const cure = "install redis-server, or set CATALLAXY_REDIS_URL";
  process.stderr.write(`tests of the queue are skipped: ${cure}\n`);
}

export type RedisServer = {
  /** The address, with the password if there is one. */
  readonly url: () => string;
  /** Kills the server and starts it again with what its log on disk has. */
  readonly restart: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
};

/**
 * A Redis server for all tests of a file or `describe`, which keeps all that it has acknowledged.
 * Without `redis-server`, it is that of `CATALLAXY_REDIS_URL`, which cannot be killed. Call it
 * outside of tests.
 */
export const sharedRedis = (password: string | null = null): RedisServer => {
  let dir = "";
  let flags: readonly string[] = [];
  let url = GIVEN ?? "";
  let server: ChildProcess | null = null;
  const kill = async (): Promise<void> => {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };
  beforeAll(async () => {
    if (!canStartRedis) return;
    dir = mkdtempSync(join(tmpdir(), "catallaxy-redis-"));
    const port = String(await freePort());
    const open = password === null ? [] : ["--requirepass", password];
    const durable = ["--appendonly", "yes", "--save", ""];
    flags = ["--port", port, "--bind", "127.0.0.1", "--dir", dir, ...durable, ...open];
    url = `redis://${password === null ? "" : `:${password}@`}127.0.0.1:${port}`;
    server = await started(flags);
  });
  afterAll(async () => {
    await kill();
    if (dir !== "") rmSync(dir, { recursive: true, force: true });
  });
  const restart = async (): Promise<void> => {
    await kill();
    server = await started(flags);
  };
  return { url: () => url, restart, kill };
};

/** Resolves when the server takes connections. */
const started = async (flags: readonly string[]): Promise<ChildProcess> => {
  const server = spawn("redis-server", flags, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    server.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (/Ready to accept connections/.test(said)) resolve();
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`redis-server has ended: ${said}`)));
  });
  return server;
};
