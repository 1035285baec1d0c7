import { type Id, isReserved, type State } from "../../kernel/index.ts";
import { didYouMean, listed } from "../../text/index.ts";

import { type Place, showProblem } from "../config/index.ts";
import type { Persona } from "../persona/persona.ts";

/** The ids that an entry of a schedule names, with the place of the entry. */
export type Mention = {
  readonly atMs: number;
  /** `agent`: pause, resume or remove; `principal`: a payment; `newcomer`: agents to add. */
  readonly what: "agent" | "principal" | "newcomer";
  readonly ids: readonly Id[];
  /** The key of the entry, such as `schedule[2].pause`. */
  readonly key: string;
  readonly place: Place;
  /** True if the ids can belong to principals that join the world during the run. */
  readonly joinLater: boolean;
};

type Present = {
  /** The agents that join the world at the start of the run. */
  readonly personas: readonly Persona[];
  /** The personas of the agents that entries add. */
  readonly later: readonly Persona[];
  /** The state that the run starts from, or null for a new world. */
  readonly state: State | null;
  readonly atMs: number;
};

type Named = { readonly id: string; readonly group: string | null; readonly population?: string };

const named = ({ id, population, terms: { group } }: Persona): Named => ({ id, population, group });

/**
 * Finds ids that no principal has at the time of the entry, and ids that agents to add cannot get
 * because another agent has them. Entries before `atMs` do not count. Returns one line for each.
 */
export const mentionProblems = (
  mentions: readonly Mention[],
  { personas, later, state, atMs }: Present,
): readonly string[] => {
  const agents: readonly Named[] = [...(state?.agents.rows() ?? []), ...personas.map(named)];
  const labelled = [...agents, ...later.map(named)];
  const known = new Set(agents.map(({ id }) => id));
  return mentions
    .filter((mention) => mention.atMs >= atMs)
    .toSorted((a, b) => a.atMs - b.atMs)
    .flatMap((mention) => {
      const { what, ids, key, place, joinLater } = mention;
      const line = (message: string, hint: string): string =>
        showProblem({ ...place, message: `\`${key}\`: ${message}`, hint });
      if (what === "newcomer") {
        const taken = ids.find((id) => known.has(id));
        for (const id of ids) known.add(id);
        // At the time of a fork, the agent can have joined already by this entry.
        if (taken === undefined || (state !== null && mention.atMs === atMs)) return [];
        return [line(`an agent has the id \`${taken}\` already`, "choose another id")];
      }
      const hasAccount = (id: Id): boolean =>
        what === "principal" && (isReserved(id) || (state?.accounts.has(id) ?? false));
      return ids
        .filter((id) => !joinLater && !known.has(id) && !hasAccount(id))
        .map((id) => {
          const { message, hint } = unknown(id, mention, { known: [...known], labelled });
          return line(message, hint);
        });
    });
};

type World = { readonly known: readonly string[]; readonly labelled: readonly Named[] };

const unknown = (id: Id, { what, atMs }: Mention, { known, labelled }: World) => {
  if (id === ALL) {
    const message = "only mint and take have `all`";
    return { message, hint: `list the agents: ${listed(known, NAMES_SHOWN)}` };
  }
  const members = labelled.filter(
    ({ population, group, id: own }) => group === id || (population === id && own !== id),
  );
  if (members.length > 0) {
    const ids = members.map((member) => member.id);
    return {
      message: `\`${id}\` is the name of several agents`,
      hint: `list them: ${listed(ids, NAMES_SHOWN)}`,
    };
  }
  const message = `no ${what} has the id \`${id}\` at ${atMs / 1_000} s`;
  if (labelled.some((agent) => agent.id === id)) {
    return { message, hint: "the schedule adds it only later" };
  }
  const later = "if it joins during the run, add `joins_later: true` to the entry";
  const near = didYouMean(id, known);
  return { message, hint: near === null ? later : `${near} Or ${later}` };
};

/** The name of all agents in payments. */
const ALL = "all";

const NAMES_SHOWN = 10;
