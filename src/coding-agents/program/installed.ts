import { cutText } from "../../kernel/index.ts";
import type { Environment } from "../../model/index.ts";
import { agentEnvironment } from "./environment.ts";
import { AGENT_PROVIDERS, type AgentProvider, providerNamed } from "./providers.ts";

const ANSWER_MS_MAX = 10_000;
const VERSION_CHARS_MAX = 60;

export type InstalledAgent = {
  readonly provider: AgentProvider;
  /** What it says about its version. Null: it is not installed. */
  readonly version: string | null;
};

/** Asks each of the known coding agents for its version. Never rejects. */
export const installedAgents = async (env: Environment): Promise<readonly InstalledAgent[]> => {
  const { execa } = await import("execa");
  const asked = AGENT_PROVIDERS.map(async (provider) => {
    const { executable, variables } = providerNamed(provider);
    const { stdout, exitCode } = await execa(executable, ["--version"], {
      env: agentEnvironment(env, variables, {}),
      extendEnv: false,
      stdin: "ignore",
      reject: false,
      timeout: ANSWER_MS_MAX,
      killDescendants: true,
    });
    if (exitCode === undefined) return { provider, version: null };
    const [line = ""] = stdout.split("\n");
    return { provider, version: cutText(line.trim(), VERSION_CHARS_MAX) || "unknown version" };
  });
  return Promise.all(asked);
};
