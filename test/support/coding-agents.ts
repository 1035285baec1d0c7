import { delimiter, join } from "node:path";
import { pathWith } from "./fake-coding-agent/fake-agent.ts";
import type { Plan, Step } from "./fake-coding-agent/plan.ts";
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
  readonly steps: readonly Step[];
  readonly given?: Pick<Plan, "session"> & Partial<Pick<Plan, "resumed">>;
  /** Further settings under `cli`, such as `timeout_s: 5`. */
  readonly settings?: readonly string[];
};

/** A folder with the personas of a coding agent `coder` and of a customer of `coder_double`. */
export const coderFolder = ({ steps, given, settings = [] }: Coder): string => {
  const [folder = ""] = pathWith("claude", steps, given).split(delimiter);
  const cli = ["provider: claude", `executable: ${join(folder, "claude")}`, ...settings];
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
