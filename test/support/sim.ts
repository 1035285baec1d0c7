import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The real command. */
export const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

export type Said = { readonly code: number | null; readonly out: string; readonly err: string };

const folders: string[] = [];
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder to run `sim` in; it is gone when the tests of the file are over. */
export const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "catallaxy-test-"));
  folders.push(folder);
  return folder;
};

/** The environment of a machine on which nobody has set a key. */
const env = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/KEY|TOKEN|VITEST/.test(name)),
  );

/** Runs the real command to its end. */
export const sim = (cwd: string, ...args: readonly string[]): Said => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd,
    env: env(),
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  return { code: status, out: stdout, err: stderr };
};

/** Starts the real command; `until` resolves when its output matches, `ended` with all of it. */
export const startSim = (cwd: string, ...args: readonly string[]) => startSimWith({}, cwd, args);

/** Starts the real command on a machine where these variables are set. */
export const startSimWith = (
  variables: Readonly<Record<string, string>>,
  cwd: string,
  args: readonly string[],
) => {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...env(), ...variables } });
  let out = "";
  let err = "";
  const listeners = new Set<() => void>();
  const heard = (): void => {
    for (const listener of listeners) listener();
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    heard();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    heard();
  });
  const ended = new Promise<Said>((resolve) => {
    child.on("close", (code) => resolve({ code, out, err }));
  });
  const until = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!pattern.test(out) && !pattern.test(err)) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  const heardSoFar = (): Omit<Said, "code"> => ({ out, err });
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), until, ended, heardSoFar };
};
