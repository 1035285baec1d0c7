import {
  ACTION_KINDS,
  type ActionEnd,
  type ActionKind,
  type Event,
  type ThoughtUsage,
} from "../../kernel/index.ts";
import { type TradeKind, tradeIn } from "../../runner/index.ts";

/** The turn that an agent's life takes with an event, if it takes one. */
const turnIn = (event: Event): keyof Tally["lives"] | null => {
  switch (event.kind) {
    case "agent_created":
      // Whom a person puts into the world has made itself.
      return event.principal === event.id ? null : "spawned";
    case "agent_frozen":
      return "freezes";
    case "agent_unfrozen":
      return "rescues";
    case "agent_bankrupt":
      return "bankruptcies";
    default:
      return null;
  }
};

/** The actions of one principal. */
export type ActionTally = { readonly total: number; readonly succeeded: number };

/** What has happened in a run, counted from its events. */
export type Tally = {
  readonly actions: {
    readonly total: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly by_type: { readonly [K in ActionKind]: number };
    readonly by_error: { readonly [code: string]: number };
  };
  readonly thinking: {
    readonly calls: number;
    readonly failed: number;
    /** Thoughts that came when nobody waited for them any more. */
    readonly dropped: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost_usd: number;
  };
  readonly trades: { readonly [K in TradeKind]: number };
  readonly supply: {
    readonly minted: number;
    readonly burned: number;
    /** By the reason that the events give; `mint_price` is what winners at the mint paid. */
    readonly minted_by: { readonly [reason: string]: number };
    readonly burned_by: { readonly [reason: string]: number };
  };
  readonly lives: {
    readonly spawned: number;
    readonly freezes: number;
    /** Frozen agents that somebody gave what they lacked. */
    readonly rescues: number;
    readonly bankruptcies: number;
  };
};

/** The thoughts of one principal and what they cost. */
export type ThoughtTally = {
  readonly thoughts: number;
  readonly costMicros: number;
  /** The part that is owed to a provider. */
  readonly apiCostMicros: number;
};

const NO_ACTIONS: ActionTally = { total: 0, succeeded: 0 };
const NO_THOUGHTS: ThoughtTally = { thoughts: 0, costMicros: 0, apiCostMicros: 0 };

/**
 * Counts events one by one, in any number of parts. Everything on a screen that says how often or
 * how much something happened comes from here, so that all of it is of the same events.
 */
export class TallySheet {
  readonly #byPrincipal = new Map<string | null, ActionTally>();
  readonly #byType = new Map<string, number>(ACTION_KINDS.map((kind) => [kind, 0]));
  readonly #byError = new Map<string, number>();
  readonly #thinkers = new Map<string | null, ThoughtTally>();
  #thoughtsFailed = 0;
  #thoughtsDropped = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  readonly #minted = new Map<string, number>();
  readonly #burned = new Map<string, number>();
  readonly #trades = new Map<TradeKind, number>();
  readonly #lives = new Map<keyof Tally["lives"], number>();

  count(event: Event): void {
    const trade = tradeIn(event);
    if (trade !== null) this.#add(this.#trades, trade);
    const turn = turnIn(event);
    if (turn !== null) this.#add(this.#lives, turn);
    switch (event.kind) {
      case "action_completed":
        this.#countAction(event, true);
        return;
      case "action_refused":
        this.#countAction(event, false);
        this.#add(this.#byError, event.code);
        return;
      case "thought_failed":
        this.#thoughtsFailed += 1;
        this.countThought(event.principal, event.usage);
        return;
      case "thought_dropped":
        this.#thoughtsDropped += 1;
        this.countThought(event.principal, event.usage);
        return;
      case "thought_completed":
        this.countThought(event.principal, event.usage);
        return;
      case "scrip_minted":
        this.#add(this.#minted, event.reason, event.amount);
        return;
      case "scrip_burned":
        this.#add(this.#burned, event.reason, event.amount);
        return;
      case "hold_spent":
        if (event.to === null) this.#add(this.#burned, "mint_price", event.amount);
        return;
      default:
    }
  }

  /** A thought that has ended, whatever came of it. */
  countThought(principal: string | null, usage: ThoughtUsage): void {
    const before = this.#thinkers.get(principal) ?? NO_THOUGHTS;
    this.#thinkers.set(principal, {
      thoughts: before.thoughts + 1,
      costMicros: before.costMicros + usage.cost_micros,
      apiCostMicros: before.apiCostMicros + usage.api_cost_micros,
    });
    this.#inputTokens += usage.input_tokens;
    this.#outputTokens += usage.output_tokens;
  }

  actionsOf(id: string): ActionTally {
    return this.#byPrincipal.get(id) ?? NO_ACTIONS;
  }

  thoughtsOf(id: string): ThoughtTally {
    return this.#thinkers.get(id) ?? NO_THOUGHTS;
  }

  /** Of everybody. */
  thoughts(): ThoughtTally {
    const all = [...this.#thinkers.values()];
    return {
      thoughts: all.reduce((sum, each) => sum + each.thoughts, 0),
      costMicros: all.reduce((sum, each) => sum + each.costMicros, 0),
      apiCostMicros: all.reduce((sum, each) => sum + each.apiCostMicros, 0),
    };
  }

  total(): Tally {
    const all = [...this.#byPrincipal.values()];
    const total = all.reduce((sum, each) => sum + each.total, 0);
    const succeeded = all.reduce((sum, each) => sum + each.succeeded, 0);
    const {
      noop = 0,
      read_artifact = 0,
      write_artifact = 0,
      invoke_artifact = 0,
    } = Object.fromEntries(this.#byType);
    const { thoughts: calls, apiCostMicros } = this.thoughts();
    return {
      actions: {
        total,
        succeeded,
        failed: total - succeeded,
        by_type: { noop, read_artifact, write_artifact, invoke_artifact },
        by_error: inOrder(this.#byError),
      },
      thinking: {
        calls,
        failed: this.#thoughtsFailed,
        dropped: this.#thoughtsDropped,
        input_tokens: this.#inputTokens,
        output_tokens: this.#outputTokens,
        cost_usd: apiCostMicros / 1e6,
      },
      supply: {
        minted: sumOf(this.#minted),
        burned: sumOf(this.#burned),
        minted_by: inOrder(this.#minted),
        burned_by: inOrder(this.#burned),
      },
      lives: {
        spawned: 0,
        freezes: 0,
        rescues: 0,
        bankruptcies: 0,
        ...Object.fromEntries(this.#lives),
      },
      trades: {
        service: 0,
        read: 0,
        sale: 0,
        loan: 0,
        task: 0,
        ...Object.fromEntries(this.#trades),
      },
    };
  }

  #countAction({ principal, action }: ActionEnd, isOk: boolean): void {
    const { total, succeeded } = this.#byPrincipal.get(principal) ?? NO_ACTIONS;
    this.#byPrincipal.set(principal, {
      total: total + 1,
      succeeded: succeeded + (isOk ? 1 : 0),
    });
    this.#add(this.#byType, action);
  }

  #add<Key>(counts: Map<Key, number>, key: Key, by = 1): void {
    counts.set(key, (counts.get(key) ?? 0) + by);
  }
}

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

const inOrder = (counts: ReadonlyMap<string, number>): { readonly [key: string]: number } =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
