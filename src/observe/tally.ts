import { ACTION_KINDS, type ActionKind, type Event } from "../kernel/index.ts";

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
  readonly trades: number;
  readonly invocationsPaid: number;
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
  #trades = 0;
  #invocationsPaid = 0;

  count(event: Event): void {
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
      case "artifact_invoked":
        if (event.paid_to === null) return;
        this.#invocationsPaid += 1;
        this.#trades += 1;
        return;
      case "artifact_read":
        if (event.price > 0) this.#trades += 1;
        return;
      case "ownership_transferred":
        this.#trades += 1;
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
      trades: this.#trades,
      invocationsPaid: this.#invocationsPaid,
    };
  }

  #countThought(usage: Extract<Event, { kind: "thought_completed" }>["usage"]): void {
    this.#thoughts += 1;
    this.#inputTokens += usage.input_tokens;
    this.#outputTokens += usage.output_tokens;
    this.#apiCostMicros += usage.api_cost_micros;
  }

  #add(counts: Map<string, number>, key: string): void {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}
