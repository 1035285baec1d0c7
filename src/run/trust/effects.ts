import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Id, State } from "../../kernel/index.ts";
import { ownNameOf } from "../../mind/index.ts";
import { hashOfFolder } from "../files/run-modules.ts";
import { type ReadAgent, readableAgentsIn } from "../minds/agent-config.ts";

/**
 * Code outside of the sandbox that the mind of an agent needs. `effect` is the end of a sentence
 * that begins with "it", and names the code by its hash.
 */
type AgentEffect = { readonly agent: Id; readonly effect: string };

/** What the agents of a world cause. `modules` is the folder with the copies of their modules. */
export const agentEffects = (state: State, modules: string): readonly AgentEffect[] =>
  readableAgentsIn(state).flatMap((agent) =>
    [...programsOf(agent), ...modulesOf(agent, modules)].map((effect) => ({
      agent: agent.id,
      effect,
    })),
  );

type PresentAgent = ReadAgent & { readonly id: Id };

const HASH_CHARS = 16;

const short = (hash: string): string => hash.slice(0, HASH_CHARS);

/** The whole configuration counts, because it has what the program is told to do. */
const programsOf = ({ id, kind, config }: PresentAgent): readonly string[] => {
  const command = kind.program?.(config) ?? null;
  if (command === null) return [];
  const hash = createHash("sha256").update(JSON.stringify(config)).digest("hex");
  return [`runs the program ${command} for ${id} (configuration ${short(hash)})`];
};

const modulesOf = ({ id, kind, config }: PresentAgent, copies: string): readonly string[] =>
  (kind.modules?.inAgent(config) ?? []).map((name) => {
    const hash = hashOfFolder(join(copies, name));
    return `runs the module ${ownNameOf(name)} of ${id} (sha256 ${hash ?? "missing"})`;
  });
