import { SECTION_NAMES } from "../settings.ts";
import type { Section } from "./section.ts";
import { market, offers, ownArtifacts, principals } from "./sections/goods.ts";
import { hints, memories, workingMemory } from "./sections/knowing.ts";
import { mint, tasks } from "./sections/minting.ts";
import { failures, lastAction, ownActions, recentEvents } from "./sections/past.ts";
import { balances, quotas, resources, time } from "./sections/standing.ts";

/** All sections, in the order in which they stand where nothing else is asked for. */
export const SHIPPED_SECTIONS: readonly Section[] = [
  time,
  balances,
  quotas,
  resources,
  ownArtifacts,
  market,
  principals,
  offers,
  mint,
  tasks,
  recentEvents,
  memories,
  workingMemory,
  lastAction,
  failures,
  ownActions,
  hints,
].toSorted((a, b) => SECTION_NAMES.indexOf(a.name) - SECTION_NAMES.indexOf(b.name));
