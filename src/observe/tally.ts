import { ACTION_KINDS, type ActionKind, type Event } from "../kernel/index.ts";
import { type TradeKind, tradeIn } from "../runner/index.ts";

/** The turn that an agent's life takes with an event, if it takes one. */
const turnIn = (event: Event): keyof Tally["lives"] | null => {
  switch (event.kind) {
    case "agent_created":
      return event.at_ms > 0 ? "spawned" : null;
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
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost_usd: number;
  };
  readonly trades: { readonly [K in TradeKind]: number };
  readonly lives: {
    readonly spawned: number;
    readonly freezes: number;
    /** Frozen agents that somebody gave what they lacked. */
    readonly rescues: number;
    readonly bankruptcies: number;
  };
};

/** Counts events one by one, in any number of parts. Every figure on a screen comes from here. */
export class TallySheet {
  #succeeded = 0;
  #failed = 0;
  readonly #byType = new Map<string, number>(ACTION_KINDS.map((kind) => [kind, 0]));
  readonly #byError = new Map<string, number>();
  #thoughts = 0;
  #thoughtsFailed = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #apiCostMicros = 0;
  readonly #trades = new Map<TradeKind, number>();
  readonly #lives = new Map<keyof Tally["lives"], number>();

  count(event: Event): void {
    const trade = tradeIn(event);
    if (trade !== null) this.#add(this.#trades, trade);
    const turn = turnIn(event);
    if (turn !== null) this.#add(this.#lives, turn);
    switch (event.kind) {
      case "action_completed":
        this.#succeeded += 1;
        this.#add(this.#byType, event.action);
        return;
      case "action_refused":
        this.#failed += 1;
        this.#add(this.#byType, event.action);
        this.#add(this.#byError, event.code);
        return;
      case "thought_failed":
        this.#thoughtsFailed += 1;
        this.#countThought(event.usage);
        return;
      case "thought_completed":
        this.#countThought(event.usage);
        return;
      default:
    }
  }

  total(): Tally {
    const {
      noop = 0,
      read_artifact = 0,
      write_artifact = 0,
      invoke_artifact = 0,
    } = Object.fromEntries(this.#byType);
    return {
      actions: {
        total: this.#succeeded + this.#failed,
        succeeded: this.#succeeded,
        failed: this.#failed,
        by_type: { noop, read_artifact, write_artifact, invoke_artifact },
        by_error: Object.fromEntries([...this.#byError].sort(([a], [b]) => (a < b ? -1 : 1))),
      },
      thinking: {
        calls: this.#thoughts,
        failed: this.#thoughtsFailed,
        input_tokens: this.#inputTokens,
        output_tokens: this.#outputTokens,
        cost_usd: this.#apiCostMicros / 1e6,
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

  #countThought(usage: Extract<Event, { kind: "thought_completed" }>["usage"]): void {
    this.#thoughts += 1;
    this.#inputTokens += usage.input_tokens;
    this.#outputTokens += usage.output_tokens;
    this.#apiCostMicros += usage.api_cost_micros;
  }

  #add<Key>(counts: Map<Key, number>, key: Key): void {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}
