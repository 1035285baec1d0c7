import {
  ACTION_KINDS,
  type ActionEnd,
  type Event,
  MESSENGER_ID,
  type ThoughtUsage,
} from "../../kernel/index.ts";
import { type TradeKind, tradeIn } from "../../run/index.ts";
import { addTo, sumOf } from "./statistics.ts";

type ActionCount = { readonly total: number; readonly succeeded: number };

export type Activity = ReturnType<ActivityCounter["total"]>;

type ThoughtCount = {
  readonly thoughts: number;
  readonly costMicros: number;
  /** The part of the cost that is owed to providers. */
  readonly apiCostMicros: number;
};

/** An executed entry of the schedule. `problem` says why it was not done, or is null. */
type ExecutedEntry = {
  readonly at_ms: number;
  readonly change: string;
  readonly problem: string | null;
};

const NO_ACTIONS: ActionCount = { total: 0, succeeded: 0 };
const NO_THOUGHTS: ThoughtCount = { thoughts: 0, costMicros: 0, apiCostMicros: 0 };

/** Counts events one by one. All displays use the counts of this class and therefore agree. */
export class ActivityCounter {
  readonly #byPrincipal = new Map<string | null, ActionCount>();
  readonly #byType = new Map<string, number>(ACTION_KINDS.map((kind) => [kind, 0]));
  readonly #byError = new Map<string, number>();
  readonly #thinkers = new Map<string | null, ThoughtCount>();
  readonly #failedBy = new Map<string, number>();
  #thoughtsDropped = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  readonly #minted = new Map<string, number>();
  readonly #burned = new Map<string, number>();
  readonly #trades: { [K in TradeKind]: number } = {
    service: 0,
    read: 0,
    sale: 0,
    loan: 0,
    task: 0,
  };
  /** The last receiver of model budget from the schedule, until an agent is unfrozen. */
  #issuedTo: string | null = null;
  readonly #scheduled: ExecutedEntry[] = [];
  readonly #messages = { delivered: 0, refused: 0 };
  readonly #lives = { spawned: 0, freezes: 0, rescues: 0, thaws: 0, bankruptcies: 0 };

  count(event: Event): void {
    const trade = tradeIn(event);
    if (trade !== null) this.#trades[trade] += 1;
    switch (event.kind) {
      case "action_completed":
        return this.#countAction(event, true);
      case "action_refused":
        this.#countAction(event, false);
        addTo(this.#byError, event.code);
        if (event.target === MESSENGER_ID && event.method === "send") this.#messages.refused += 1;
        return;
      case "message_sent":
        if (event.reset === null) this.#messages.delivered += 1;
        return;
      case "thought_failed":
        addTo(this.#failedBy, event.fault ?? event.reason);
        this.#countThought(event.principal, event.usage);
        return;
      case "thought_dropped":
        this.#thoughtsDropped += 1;
        this.#countThought(event.principal, event.usage);
        return;
      case "thought_completed":
        return this.#countThought(event.principal, event.usage);
      case "scrip_minted":
        return addTo(this.#minted, event.reason, event.amount);
      case "scrip_burned":
        return addTo(this.#burned, event.reason, event.amount);
      case "hold_spent":
        if (event.to === null) addTo(this.#burned, "purse", event.amount);
        return;
      case "proceeds_burned":
        return addTo(this.#burned, "proceeds", event.amount);
      case "agent_created":
        // An initial agent is the principal of its own `agent_created`, and the schedule has none.
        if (event.principal !== event.id && event.principal !== null) this.#lives.spawned += 1;
        return;
      case "budget_issued":
        this.#issuedTo = event.to;
        return;
      case "agent_frozen":
        this.#lives.freezes += 1;
        return;
      case "agent_unfrozen":
        // The schedule gives model budget to an agent just before this unfreezes the agent.
        if (event.principal !== null) this.#lives.rescues += 1;
        else if (this.#issuedTo !== event.agent) this.#lives.thaws += 1;
        this.#issuedTo = null;
        return;
      case "schedule_executed": {
        const { at_ms, change, problem } = event;
        this.#scheduled.push({ at_ms, change, problem });
        return;
      }
      case "agent_bankrupt":
        this.#lives.bankruptcies += 1;
        return;
      default:
    }
  }

  /** Counts a completed, failed or dropped thought. */
  #countThought(principal: string | null, usage: ThoughtUsage): void {
    const before = this.#thinkers.get(principal) ?? NO_THOUGHTS;
    this.#thinkers.set(principal, {
      thoughts: before.thoughts + 1,
      costMicros: before.costMicros + usage.cost_micros,
      apiCostMicros: before.apiCostMicros + usage.api_cost_micros,
    });
    this.#inputTokens += usage.input_tokens;
    this.#outputTokens += usage.output_tokens;
  }

  actionsOf(id: string): ActionCount {
    return this.#byPrincipal.get(id) ?? NO_ACTIONS;
  }

  thoughtsOf(id: string): ThoughtCount {
    return this.#thinkers.get(id) ?? NO_THOUGHTS;
  }

  /** The executed entries of the schedule, in order. */
  scheduled(): readonly ExecutedEntry[] {
    return [...this.#scheduled];
  }

  thoughts(): ThoughtCount {
    const all = [...this.#thinkers.values()];
    return {
      thoughts: sumOf(all.map((each) => each.thoughts)),
      costMicros: sumOf(all.map((each) => each.costMicros)),
      apiCostMicros: sumOf(all.map((each) => each.apiCostMicros)),
    };
  }

  total() {
    const all = [...this.#byPrincipal.values()];
    const total = sumOf(all.map((each) => each.total));
    const succeeded = sumOf(all.map((each) => each.succeeded));
    const { thoughts: calls, apiCostMicros } = this.thoughts();
    return {
      actions: {
        total,
        succeeded,
        failed: total - succeeded,
        by_type: Object.fromEntries(this.#byType),
        by_error: sortedByKey(this.#byError),
      },
      thinking: {
        calls,
        failed: sumOf([...this.#failedBy.values()]),
        /** The number of failed thoughts by fault of the model, or by reason if it has no fault. */
        failed_by: sortedByKey(this.#failedBy),
        /** The number of thoughts that ended too late. The agent had stopped waiting. */
        dropped: this.#thoughtsDropped,
        input_tokens: this.#inputTokens,
        output_tokens: this.#outputTokens,
        cost_usd: apiCostMicros / 1e6,
      },
      supply: {
        minted: sumOf([...this.#minted.values()]),
        burned: sumOf([...this.#burned.values()]),
        /** The keys are reasons. `purse`: fees that programs without an account paid. */
        minted_by: sortedByKey(this.#minted),
        burned_by: sortedByKey(this.#burned),
      },
      lives: { ...this.#lives },
      trades: { ...this.#trades },
      /** `refused` counts actions. A call by a program that is refused does not count. */
      messages: { ...this.#messages },
    };
  }

  #countAction({ principal, action }: ActionEnd, isOk: boolean): void {
    const { total, succeeded } = this.#byPrincipal.get(principal) ?? NO_ACTIONS;
    this.#byPrincipal.set(principal, { total: total + 1, succeeded: succeeded + (isOk ? 1 : 0) });
    if (this.#byType.has(action)) addTo(this.#byType, action);
  }
}

const sortedByKey = (counts: ReadonlyMap<string, number>): { readonly [key: string]: number } =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
