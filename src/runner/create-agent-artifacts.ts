import { asId, draw, physicsOf, seedPrng } from "../kernel/index.ts";
import type { World } from "../world/index.ts";
import type { Config } from "./config/index.ts";
import type { Persona } from "./persona/index.ts";

/** An agent as the run is to begin with it. */
export type Newcomer = {
  readonly id: string;
  readonly scrip: number;
  /** Its configuration, as JSON text. */
  readonly content: string;
};

/** Those who come into a new world, with the scrip that they begin with. */
export const newcomersOf = (
  { scrip }: Pick<Config, "scrip">,
  personas: readonly Persona[],
): readonly Newcomer[] =>
  personas.map(({ id, startingScrip, content }) => ({
    id,
    scrip: startingScrip ?? scrip.starting_amount,
    content,
  }));

/** Newcomers begin within this time, ms, so that they do not all move at once. */
const START_SPREAD_MS = 1_000;

/**
 * Each agent becomes an artifact with standing that can
 * execute, linked to a memory artifact, with an account and a loop. Returns what could not be made.
 */
export const createAgentArtifacts = (
  world: World,
  newcomers: readonly Newcomer[],
  atMs: number,
): readonly string[] => {
  const { resources, seed } = physicsOf(world.state);
  const refused: string[] = [];
  for (const { id, scrip, content } of newcomers) {
    const [roll] = draw(seedPrng(seed, `${id}/start`));
    const outcome = world.submit({
      kind: "create_agent",
      at_ms: atMs,
      id: asId(id),
      content,
      memory: "[]",
      endowment: {
        scrip,
        llm_budget_micros: resources.llm_budget_micros,
        disk_bytes: resources.disk_bytes,
        quotas: resources.windows,
      },
      starts_at_ms: atMs + Math.floor(roll * START_SPREAD_MS),
    });
    if (!outcome.success) refused.push(`${id}: ${outcome.message}`);
  }
  return refused;
};
