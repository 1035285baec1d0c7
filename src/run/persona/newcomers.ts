import {
  type AgentTerms,
  asId,
  canonical,
  draw,
  type Id,
  liveArtifact,
  type OwnReviewTerms,
  type Physics,
  physicsOf,
  seedPrng,
} from "../../kernel/index.ts";
import type { World } from "../../world/index.ts";
import type { Config } from "../config/index.ts";
import type { Persona } from "./persona.ts";

type Newcomer = Pick<Persona, "id" | "content" | "workspace"> & {
  readonly scrip: number;
  readonly terms: AgentTerms;
};

export const newcomersOf = (
  { scrip: { starting_amount }, compute }: Pick<Config, "scrip" | "compute">,
  personas: readonly Persona[],
): readonly Newcomer[] =>
  personas.map((persona) => {
    const { id, startingScrip: scrip, content, workspace, compute: own } = persona;
    const { review, ...others } = persona.terms;
    const { lots, limit_price } = compute.standing;
    const standing = { lots: own?.lots ?? lots, limit_price: own?.limit_price ?? limit_price };
    const terms: AgentTerms = {
      ...others,
      ...(own === null ? {} : { standing }),
      ...(review === undefined ? {} : { review }),
    };
    return { id, scrip: scrip ?? starting_amount, content, workspace, terms };
  });

/** Newcomers start at random times within this period in ms, so that they do not act together. */
const START_SPREAD_MS = 1_000;

/** The time between the creation of an agent and its first thought. */
export const startDelayMs = (seed: number, id: string): number => {
  const [roll] = draw(seedPrng(seed, `${id}/start`));
  return Math.floor(roll * START_SPREAD_MS);
};

/** Creates the account and artifacts of each newcomer. Returns a problem for each refused one. */
export const createAgents = (
  world: World,
  newcomers: readonly Newcomer[],
  atMs: number,
): readonly string[] => {
  const { resources, seed } = physicsOf(world.state);
  return newcomers.flatMap((newcomer) => {
    const { id, scrip, content, workspace, terms } = newcomer;
    const { success, message } = world.submit({
      kind: "create_agent",
      at_ms: atMs,
      id: asId(id),
      content,
      memory: "[]",
      ...(workspace === null ? {} : { workspace }),
      endowment: {
        scrip,
        llm_budget_micros: resources.llm_budget_micros,
        disk_bytes: resources.disk_bytes,
        quotas: resources.windows,
      },
      ...terms,
      starts_at_ms: atMs + startDelayMs(seed, id),
    });
    return success ? [] : [`${id}: ${message}`];
  });
};

/** The changes to a world when its run continues. Agents not in `newcomers` do not change. */
type WorldChange = { readonly physics: Physics; readonly newcomers: readonly Newcomer[] };

/**
 * Applies a change to a world that continues at `atMs`. If a newcomer has the id of an existing
 * agent, its configuration, contacts and terms of review replace those of the agent. The agent
 * keeps its workspace, its group and what it has. Writes no event if nothing differs, so that a
 * resumed run has the same events as an uninterrupted run. Returns the problems.
 */
export const applyChange = (
  world: World,
  { physics, newcomers }: WorldChange,
  atMs: number,
): readonly string[] => {
  if (canonical(physics) !== canonical(physicsOf(world.state))) {
    world.submit({ kind: "amend_physics", at_ms: atMs, physics });
  }
  const { agents } = world.state;
  const isKnown = ({ id }: Newcomer): boolean => agents.has(asId(id));
  const added = newcomers.filter((newcomer) => !isKnown(newcomer));
  const refused = newcomers.filter(isKnown).flatMap(({ id: name, ...newcomer }) => {
    const id = asId(name);
    const { content, terms } = newcomer;
    setContacts(world, id, terms, atMs);
    setReview(world, id, terms, atMs);
    if (liveArtifact(world.state, id)?.content === content) return [];
    const { success, message } = world.submit({ kind: "rewrite_agent", at_ms: atMs, id, content });
    return success ? [] : [`${id}: ${message}`];
  });
  return [...refused, ...createAgents(world, added, atMs)];
};

/** Gives an agent the contacts of its persona, unless it has them already. */
const setContacts = (world: World, id: Id, terms: AgentTerms, atMs: number): void => {
  const { contacts = null } = terms;
  const before = world.state.agents.get(id)?.contacts ?? null;
  if (canonical(before) === canonical(contacts)) return;
  world.submit({ kind: "set_contacts", at_ms: atMs, agent: id, contacts });
};

const NO_TERMS: OwnReviewTerms = { review: null, review_default: null };

/** Gives an agent the terms of review of its persona, unless it has them already. */
const setReview = (world: World, id: Id, { review: own }: AgentTerms, atMs: number): void => {
  const { agent: _agent, ...before } = world.state.reviewed.get(id) ?? { agent: id, ...NO_TERMS };
  const terms = own ?? NO_TERMS;
  if (canonical(before) === canonical(terms)) return;
  world.submit({ kind: "set_review", at_ms: atMs, agent: id, ...terms });
};
