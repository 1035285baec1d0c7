import { expect } from "vitest";
import type { SimResult } from "./sim.ts";
import { folderWith } from "./temporary-folder.ts";

const WORKFLOW = `workflow:
  steps:
    - { name: decide, type: llm, prompt: "What do you do next?" }
`;

/** A folder with agents of all kinds of minds that can think in another place. */
export const thinkersFolder = (): string =>
  folderWith({
    "agents/ada/agent.yaml": "id: ada\ncount: 3\nmind: llm\nsystem_prompt: You sell programs.\n",
    "agents/bob/agent.yaml": `id: bob\nmind: llm\n${WORKFLOW}`,
    "agents/cleo/agent.yaml": "id: cleo\ncount: 2\nmind: tools\n",
    "agents/dan/agent.yaml": "id: dan\nmind: code\n",
    "agents/eve/agent.yaml": "id: eve\nmind: policy/producer\n",
  });

export const THINKING = ["run", "--clock", "virtual", "--model", "mock", "--json"];

/** What must not depend on where the agents think. */
export const outcomeOf = ({ code, out, err }: SimResult) => {
  expect([code, err]).toEqual([0, expect.not.stringContaining("error")]);
  const { journal_hash, state_hash, thinking } = JSON.parse(out);
  return { journal_hash, state_hash, thinking };
};
