import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import type { QdrantServer } from "../support/qdrant-server/qdrant-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { egressLog } from "./egress-log.ts";
import { startedQdrant } from "./memories.ts";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

type Ran = { hosts: ReadonlySet<string>; printed: string; home: string; folder: string };

/** Runs `mem0-process.ts` with `egress.ts` and its own home. */
const run = async (server: QdrantServer, telemetry: string): Promise<Ran> => {
  const [home, folder] = [temporaryFolder(), temporaryFolder()];
  const args = ["--import", pathOf("egress.ts"), pathOf("mem0-process.ts"), server.url, folder];
  const child = spawn(process.execPath, [...args, telemetry], { env: { HOME: home } });
  let printed = "";
  child.stdout.on("data", (bytes) => (printed += bytes));
  child.stderr.on("data", (bytes) => (printed += bytes));
  await ended(child);
  const log = egressLog(child.pid ?? 0);
  onTestFinished(() => rmSync(log, { force: true }));
  const hosts = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  return { hosts: new Set(hosts), printed, home, folder };
};

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => child.on("close", () => resolve()));

it("mem0 connects to its server only, and prints nothing", async () => {
  const server = await startedQdrant();
  const { hosts, printed, home, folder } = await run(server, "off");
  expect(printed).toBe("found 5\n");
  expect([...hosts]).toEqual([new URL(server.url).host]);
  expect(readdirSync(home)).toEqual([]);
  expect(readdirSync(folder)).toEqual(["mem0"]);
});

it("the test would see its telemetry", async () => {
  const { hosts } = await run(await startedQdrant(), "as mem0 has it");
  expect([...hosts].join(" ")).toContain("posthog.com");
});
