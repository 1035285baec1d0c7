import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { connectToRedis, parseRedisAddress } from "../src/scale/index.ts";

/** A server of its own on a free port, or that of `CATALLAXY_REDIS_URL`. */
export const startRedis = async (
  dir: string,
): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const given = process.env.CATALLAXY_REDIS_URL;
  if (given !== undefined) return { url: given, stop: () => {} };
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  taken.close();
  await once(taken, "close");
  const flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", ""];
  const durable = ["--appendonly", "yes", "--dir", dir];
  const server = spawn("redis-server", [...flags, ...durable], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of server.stdout) {
    said += String(chunk);
    if (said.includes("Ready to accept connections")) break;
  }
  return { url: `redis://127.0.0.1:${port}`, stop: () => void server.kill() };
};

export const connected = async (url: string) => {
  const parsed = parseRedisAddress(url);
  const opened = parsed.ok ? await connectToRedis(parsed.address) : parsed;
  if (!opened.ok) throw new Error(opened.problem);
  return opened.connection;
};
