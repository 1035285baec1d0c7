import { SECTION_NAMES, type SectionName } from "../settings.ts";
import type { Section } from "./section.ts";
import { market, offers, ownArtifacts, principals } from "./sections/goods.ts";
import { hints, memories, workingMemory } from "./sections/knowing.ts";
import { mint, tasks } from "./sections/minting.ts";
import { failures, lastAction, ownActions, recentEvents } from "./sections/past.ts";
import { balances, quotas, resources, time } from "./sections/standing.ts";

const SECTIONS: { readonly [Name in SectionName]: Section } = {
  time,
  balances,
  quotas,
  resources,
  own_artifacts: ownArtifacts,
  market,
  principals,
  offers,
  mint,
  tasks,
  recent_events: recentEvents,
  memories,
  working_memory: workingMemory,
  last_action: lastAction,
  failures,
  own_actions: ownActions,
  hints,
};

/** All sections, in the order in which they stand where nothing else is asked for. */
export const SHIPPED_SECTIONS: readonly Section[] = SECTION_NAMES.map((name) => SECTIONS[name]);
