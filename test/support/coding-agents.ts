import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { pathWith } from "./fake-coding-agent/fake-agent.ts";
import type { Plan, Step } from "./fake-coding-agent/plan.ts";
import { type RunningSim, sim, spawnSim, startSim } from "./sim.ts";
import { folderWith } from "./temporary-folder.ts";

/** A step that calls a tool of the run's MCP server. */
export const calls = (
  tool: string,
  args: Extract<Step, { readonly does: "call_mcp" }>["args"],
): Step => ({ does: "call_mcp", tool, args });

/** Publishes a program that doubles a number for 3 scrip. */
export const publishes = (id: string): Step =>
  calls("write", {
    artifact_id: id,
    artifact_type: "program",
    code: "function run(n) { return n * 2 }",
    price: 3,
  });

type Coder = {
  /** The program that it stands for. */
  readonly provider?: Parameters<typeof pathWith>[0];
  readonly steps: readonly Step[];
  readonly given?: Pick<Plan, "session"> & Partial<Pick<Plan, "resumed">>;
  /** Further settings under `cli`, such as `timeout_s: 5`. */
  readonly settings?: readonly string[];
};

/** A folder with the personas of a coding agent `coder` and of a customer of `coder_double`. */
export const coderFolder = (coder: Coder): string => {
  const { provider = "claude", steps, given, settings = [] } = coder;
  const [folder = ""] = pathWith(provider, steps, given).split(delimiter);
  const cli = [`provider: ${provider}`, `executable: ${join(folder, provider)}`, ...settings];
  return folderWith({
    "agents/coder/agent.yaml": `id: coder\nmind: cli\ncli: { ${cli.join(", ")} }\n`,
    "agents/customer/agent.yaml": `id: customer
mind: script
script_loop: true
script:
  - invoke_artifact: { artifact_id: coder_double, args: [21] }
  - wait: 1
`,
  });
};

const ENDLESS = ["run", "--name", "live", "--duration", "36000"];

/** A run without an end, in the thread of commands. The test ends it. */
export const runIn = (cwd: string, ...flags: readonly string[]): RunningSim =>
  startedIn(cwd, ...ENDLESS, ...flags);

/** Resumes such a run. */
export const resumeIn = (cwd: string): RunningSim => startedIn(cwd, "resume", "live");

const startedIn = (cwd: string, ...args: readonly string[]): RunningSim => {
  const run = startSim(cwd, ...args);
  onTestFinished(async () => {
    run.kill("SIGINT");
    await run.ended;
  });
  return run;
};

/** Such a run in a process of its own, which can be killed. */
export const processIn = (cwd: string, ...flags: readonly string[]): RunningSim<NodeJS.Signals> => {
  const run = spawnSim(cwd, ...ENDLESS, ...flags);
  onTestFinished(async () => {
    run.kill("SIGKILL");
    await run.ended;
  });
  return run;
};

/** Ends a run with Ctrl-C. Returns its exit code. */
export const stop = async (run: RunningSim<"SIGINT">): Promise<number | null> => {
  run.kill("SIGINT");
  return (await run.ended).code;
};

/** The events of a run that `runIn` has started. */
export const eventsOf = (cwd: string, kind: string, principal = "coder") =>
  sim(cwd, "events", "live", "--kind", kind, "--principal", principal, "--json")
    .out.trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** The processes of this machine whose command line names the folder. */
export const processesOf = (folder: string): readonly string[] =>
  process.platform === "linux"
    ? readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(folder))
    : [];

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};
