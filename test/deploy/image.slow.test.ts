/** Follows the steps of deploy/Dockerfile in a folder, because a test has no Docker. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { engineVersion } from "../../src/scale/index.ts";
import { sharedFolder } from "../support/temporary-folder.ts";
import { COPIED, HEALTH_SCRIPT, ROOT } from "./files.ts";

const folder = sharedFolder();
const image = join(folder, "image");
const work = join(folder, "work");
const bin = join(folder, "bin");
/** Another user without rights, if this process may become it. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const env = { PATH: [bin, join(image, "node_modules/.bin"), "/usr/bin", "/bin"].join(delimiter) };
const inImage = { cwd: work, env, ...user, encoding: "utf8" } as const;

/** The packages that `npm ci --omit=dev` installs. */
const packages = (): readonly string[] => {
  const { packages: all } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  return Object.entries<{ dev?: boolean }>(all).flatMap(([path, { dev }]) =>
    path === "" || dev === true ? [] : [path],
  );
};

beforeAll(() => {
  for (const each of [image, work, bin]) mkdirSync(each);
  for (const path of COPIED) cpSync(join(ROOT, path), join(image, path), { recursive: true });
  // A package below another one comes with it.
  const outer = packages().filter(
    (path) => !/node_modules\/.*node_modules\//.test(path) && existsSync(join(ROOT, path)),
  );
  // Links take no time and no room, and only a folder on the same disk can have them.
  const packed = ["--parents", ...outer, image];
  const linked = spawnSync("cp", ["-al", ...packed], { cwd: ROOT });
  if (linked.status !== 0) spawnSync("cp", ["-a", "--reflink=auto", ...packed], { cwd: ROOT });
  cpSync(join(ROOT, "node_modules/.bin"), join(image, "node_modules/.bin"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  symlinkSync(join(image, "src/cli/main.ts"), join(bin, "sim"));
  chmodSync(folder, 0o755);
  if (user.uid !== undefined) chownSync(work, user.uid, user.gid);
}, 300_000);

it("has a sim that runs as another user, with the Node of the packages only", () => {
  const { version, dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(execFileSync("sim", ["--version"], inImage)).toBe(`${version}\n`);
  const node = execFileSync("node", ["-p", "process.execPath"], inImage).trim();
  expect(node).toContain(join(image, "node_modules/node"));
  expect(dependencies.node).toContain(
    execFileSync("node", ["-p", "process.versions.node.split('.')[0]"], inImage).trim(),
  );
  const flags = [
    "--duration",
    "5",
    "--clock",
    "virtual",
    "--agents",
    "agents-llm",
    "--model",
    "mock",
  ];
  const made = JSON.parse(execFileSync("sim", ["run", ...flags, "--json"], inImage));
  expect(made).toMatchObject({ stopped_by: "duration" });
  expect(made.thinking.calls).toBeGreaterThan(0);
});

it("has the version of the repository, so that its workers take runs of a checkout", () => {
  const source =
    "import { engineVersion } from 'IMAGE/src/scale/index.ts'; console.log(engineVersion().tag)";
  const script = source.replace("IMAGE", image);
  const tag = execFileSync("node", ["--input-type=module", "-e", script], inImage).trim();
  expect(tag).toBe(engineVersion().tag);
});

it("knows whether a container is healthy", async () => {
  const flags = ["--clock", "wall", "--duration", "600", "--metrics", "0"];
  const running = spawn("sim", ["run", ...flags], inImage);
  let said = "";
  const address = await new Promise<string>((resolve) => {
    running.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = /^run /m.test(said)
        ? /metrics at http:\/\/127\.0\.0\.1:(\d+)\//.exec(said)
        : null;
      if (found !== null) resolve(found[1] ?? "");
    });
    running.once("exit", () => resolve(said));
  });
  const check = () =>
    spawnSync("node", ["-e", HEALTH_SCRIPT.replace("9464", address)], inImage).status;
  expect(check()).toBe(0);
  running.kill("SIGTERM");
  const [code] = await once(running, "exit");
  expect(code).toBe(143);
  expect(check()).toBe(1);
});
