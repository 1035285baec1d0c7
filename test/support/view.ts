import {
  asId,
  genesisId,
  type Json,
  type MarketListing,
  REFUSAL_CODES,
  type View,
  type ViewBounds,
  viewOf,
} from "../../src/kernel/index.ts";
import { LIBRARY_NAMES } from "../../src/world/index.ts";
import { PHYSICS } from "./physics.ts";
import { agent, given } from "./scenario.ts";

export type Seen = {
  readonly id?: string;
  readonly now?: number;
  readonly scrip?: number;
  readonly llmBudgetMicros?: number;
  /** How often it has thought so far. */
  readonly thoughts?: number;
  readonly diskLeft?: number;
  readonly mind?: Json;
  readonly lastCode?: string | null;
  readonly lastTarget?: string;
  readonly lastResult?: string | null;
  readonly acted?: boolean;
  readonly owned?: readonly MarketListing[];
  readonly market?: readonly MarketListing[];
  readonly principals?: readonly string[];
  /** The parts of genesis, by their short names; all where it is not said. */
  readonly genesis?: readonly string[];
  readonly mint?: Partial<View["mint"]>;
  readonly tasks?: View["tasks"];
};

const GENESIS = [...PHYSICS.genesis.enabled, ...LIBRARY_NAMES];

/** The same bound for every list of a view, with exceptions. */
export const viewBounds = (count: number, exceptions: Partial<ViewBounds> = {}): ViewBounds => ({
  owned: count,
  popular: count,
  newest: count,
  texts: count,
  events: count,
  principals: count,
  offers: count,
  memories: count,
  children: count,
  tasks: count,
  ...exceptions,
});

/** Bounds that show everything in a small world. */
export const WIDE_VIEW = viewBounds(20, { events: 50 });

const QUOTAS = { actions: 60, llm_calls: 30, llm_tokens: 6000, cpu_gas: 1e6, bytes_written: 1e5 };

const lastOf = ({ lastCode, lastTarget, lastResult }: Seen): View["agent"]["last"] => {
  const code = REFUSAL_CODES.find((known) => known === lastCode) ?? null;
  return {
    atMs: 0,
    action: "invoke_artifact",
    target: lastTarget ?? null,
    method: null,
    ok: code === null,
    code,
    message: "",
    result: lastResult ?? null,
    cut: false,
    isFeedback: false,
  };
};

/** What an agent sees, with what a test cares about. */
export const viewWith = (seen: Seen = {}): View => {
  const { id = "me", now = 0, scrip = 100, llmBudgetMicros = 1e6, diskLeft = 250_000 } = seen;
  const { state } = given(
    agent(id, { scrip, micros: llmBudgetMicros, disk: 250_000, quotas: QUOTAS }),
  );
  const view = viewOf(state, asId(id), { now, bounds: WIDE_VIEW });
  return {
    ...view,
    diskLeft,
    agent: {
      ...view.agent,
      counters: { ...view.agent.counters, thoughts: seen.thoughts ?? 0 },
      last: seen.acted === true ? lastOf(seen) : null,
      mind: seen.mind ?? null,
    },
    owned: seen.owned ?? [],
    market: seen.market ?? [],
    genesis: (seen.genesis ?? GENESIS).map(genesisId),
    principals: (seen.principals ?? []).map(asId),
    events: [],
    mint: { ...view.mint, open: false, ...seen.mint },
    tasks: seen.tasks ?? [],
  };
};

export const offeringWith = (
  about: Partial<MarketListing> & { readonly id: MarketListing["id"] },
): MarketListing => ({
  type: "program",
  owner: asId("them"),
  executable: true,
  price: 1,
  read_price: 0,
  description: "",
  methods: ["run"],
  version: 1,
  created_at: 0,
  calls: 0,
  calls_by_others: 0,
  failures: 0,
  revenue: 0,
  balance: null,
  interface: null,
  ...about,
});
