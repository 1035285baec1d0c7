import { spawnSync } from "node:child_process";
import type { Result } from "../../kernel/index.ts";
import type { Environment } from "../../model/index.ts";

export const PYTHON = "python3";

const ON_WINDOWS = "scripts in Python do not run on Windows";
const NOT_FOUND = `${PYTHON} is not on the PATH of this machine`;

const CHECK = "import sys; sys.exit(sys.version_info < (3, 8))";
const CHECK_MS_MAX = 10_000;

/** Why this machine cannot run scripts in Python, or null. Starts Python to find out. */
export const missingPython = (env: Environment): string | null => {
  const found = pathIn(env);
  if (!found.ok) return found.problem;
  const { error, status } = spawnSync(PYTHON, ["-I", "-c", CHECK], {
    env: { PATH: found.path },
    stdio: "ignore",
    timeout: CHECK_MS_MAX,
  });
  if (error === undefined) return status === 0 ? null : `${PYTHON} is not Python 3.8 or later`;
  const isMissing = "code" in error && error.code === "ENOENT";
  return isMissing ? NOT_FOUND : `${PYTHON} cannot be started: ${error.message}`;
};

/** Where Python is looked for. */
export const pathIn = ({ PATH: path = "" }: Environment): Result<{ path: string }> => {
  if (process.platform === "win32") return { ok: false, problem: ON_WINDOWS };
  return path === "" ? { ok: false, problem: NOT_FOUND } : { ok: true, path };
};
