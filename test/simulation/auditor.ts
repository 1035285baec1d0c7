import type { Event, State } from "../../src/kernel/index.ts";

type Books = {
  scrip: number;
  held: number;
  micros: number;
  diskQuota: number;
  readonly quotas: Record<string, number>;
};
type Kept = { owner: string; bytes: number; live: boolean };
type Use = { readonly at: number; readonly resource: string; readonly amount: number };

const RESOURCES = ["actions", "llm_calls", "llm_tokens", "cpu_gas", "bytes_written"] as const;

/**
 * A second set of books, kept in the dumbest way from nothing but the events: every figure is added
 * up anew each time it is asked for. It shares no code with the kernel, so that the same mistake
 * would have to be made twice.
 */
export class Auditor {
  readonly #books = new Map<string, Books>();
  readonly #holds = new Map<string, { readonly owner: string; amount: number }>();
  readonly #kept = new Map<string, Kept>();
  readonly #uses = new Map<string, Use[]>();
  #endowed = 0;
  #burned = 0;
  #windowMs = 0;
  #now = 0;

  see(event: Event): void {
    this.#now = event.at_ms;
    switch (event.kind) {
      case "world_created":
        this.#windowMs = event.physics.resources.window_ms;
        return;
      case "principal_created":
        this.#books.set(event.id, {
          scrip: event.scrip,
          held: 0,
          micros: event.llm_budget_micros,
          diskQuota: event.disk_quota,
          quotas: { ...event.quotas },
        });
        this.#endowed += event.scrip;
        return;
      case "action_completed":
      case "action_refused":
      case "thought_completed":
      case "thought_failed":
        this.#seeUse(event);
        return;
      case "artifact_written":
      case "artifact_deleted":
      case "artifact_state_changed":
      case "ownership_transferred":
        this.#seeArtifact(event);
        return;
      default:
        this.#seeMoney(event);
    }
  }

  /** Every difference between these books and the world's. */
  differences(state: State): readonly string[] {
    const found: string[] = [];
    const compare = (what: string, mine: unknown, theirs: unknown): void => {
      if (mine !== theirs) found.push(`${what}: the auditor has ${mine}, the world ${theirs}`);
    };
    let sum = 0;
    for (const [id, books] of this.#books) {
      const account = [...state.accounts.rows()].find((row) => row.id === id);
      sum += books.scrip + books.held;
      compare(`scrip of ${id}`, books.scrip, account?.scrip);
      compare(`held by ${id}`, books.held, account?.held);
      compare(`budget of ${id}`, books.micros, account?.llmBudgetMicros);
      compare(`disk of ${id}`, this.#bytesOf(id), account?.diskUsed);
      compare(`disk quota of ${id}`, books.diskQuota, account?.diskQuota);
      compare(`what ${id} owns`, this.#countOf(id), account?.owned);
      for (const resource of RESOURCES) {
        compare(`${resource} quota of ${id}`, books.quotas[resource], account?.quotas[resource]);
      }
    }
    compare("accounts", this.#books.size, state.accounts.size);
    compare("holds", this.#holds.size, state.holds.size);
    compare("all the scrip there is", sum, this.#endowed - this.#burned);
    return [...found, ...this.#usedUp(state)];
  }

  /** What was used in the window that ends now, added up entry by entry on both sides. */
  #usedUp(state: State): readonly string[] {
    const found: string[] = [];
    const since = this.#now - this.#windowMs;
    for (const [id, usage] of state.usages.snapshot()) {
      for (const resource of RESOURCES) {
        const { list, head, tail } = usage[resource].entries;
        const entries = list.slice(head, tail).filter((entry) => entry.at > since);
        const theirs = entries.reduce((all, entry) => all + entry.amount, 0);
        const mine = (this.#uses.get(id) ?? [])
          .filter((use) => use.resource === resource && use.at > since)
          .reduce((all, use) => all + use.amount, 0);
        if (mine !== theirs) found.push(`${resource} used by ${id}: ${mine} here, ${theirs} there`);
      }
    }
    return found;
  }

  #seeUse(
    event: Extract<
      Event,
      { kind: "action_completed" | "action_refused" | "thought_completed" | "thought_failed" }
    >,
  ): void {
    const id = event.principal ?? "";
    const uses = this.#uses.get(id) ?? [];
    const use = (resource: string, amount: number): void => {
      if (amount > 0) uses.push({ at: event.at_ms, resource, amount });
    };
    if ("usage" in event) {
      use("llm_calls", event.usage.calls);
      use("llm_tokens", event.usage.input_tokens + event.usage.output_tokens);
      const books = this.#of(id);
      books.micros = Math.max(0, books.micros - event.usage.cost_micros);
    } else {
      const limited = event.kind === "action_refused" && event.code === "rate_limited";
      use("actions", limited ? 0 : 1);
      use("cpu_gas", event.charged.gas);
      use("bytes_written", event.charged.bytes);
    }
    this.#uses.set(id, uses);
  }

  #seeArtifact(
    event: Extract<
      Event,
      {
        kind:
          | "artifact_written"
          | "artifact_deleted"
          | "artifact_state_changed"
          | "ownership_transferred";
      }
    >,
  ): void {
    const kept = this.#kept.get(event.artifact_id) ?? { owner: "", bytes: 0, live: true };
    if (event.kind === "artifact_written") kept.owner = event.owner;
    if (event.kind === "ownership_transferred") kept.owner = event.to;
    if ("size_bytes" in event) kept.bytes = event.size_bytes;
    if (event.kind === "artifact_deleted") {
      kept.live = false;
      this.#books.delete(event.artifact_id);
      this.#uses.delete(event.artifact_id);
    }
    this.#kept.set(event.artifact_id, kept);
  }

  #seeMoney(event: Event): void {
    switch (event.kind) {
      case "scrip_transferred":
        this.#of(event.from).scrip -= event.amount;
        this.#of(event.to).scrip += event.amount;
        return;
      case "scrip_burned":
        this.#of(event.from).scrip -= event.amount;
        this.#burned += event.amount;
        return;
      case "budget_transferred":
        this.#of(event.from).micros -= event.micros;
        this.#of(event.to).micros += event.micros;
        return;
      case "quota_transferred":
        for (const [id, amount] of [
          [event.from, -event.amount],
          [event.to, event.amount],
        ] as const) {
          const books = this.#of(id);
          const { resource } = event;
          if (resource === "disk") books.diskQuota += amount;
          else books.quotas[resource] = (books.quotas[resource] ?? 0) + amount;
        }
        return;
      default:
        this.#seeHold(event);
    }
  }

  #seeHold(event: Event): void {
    switch (event.kind) {
      case "scrip_held":
        this.#of(event.from).scrip -= event.amount;
        this.#of(event.from).held += event.amount;
        this.#holds.set(event.hold, { owner: event.from, amount: event.amount });
        return;
      case "hold_split": {
        const from = this.#holdOf(event.hold);
        from.amount -= event.amount;
        this.#holds.set(event.into, { owner: from.owner, amount: event.amount });
        return;
      }
      case "hold_spent": {
        const hold = this.#holdOf(event.hold);
        hold.amount -= event.amount;
        this.#of(hold.owner).held -= event.amount;
        if (event.to === null) this.#burned += event.amount;
        else this.#of(event.to).scrip += event.amount;
        return;
      }
      case "hold_released": {
        const hold = this.#holdOf(event.hold);
        this.#holds.delete(event.hold);
        if (event.into !== null) {
          this.#holdOf(event.into).amount += hold.amount;
          return;
        }
        this.#of(hold.owner).held -= hold.amount;
        this.#of(hold.owner).scrip += hold.amount;
        return;
      }
      default:
    }
  }

  #of(id: string): Books {
    const books = this.#books.get(id);
    if (books === undefined) throw new Error(`the auditor knows no account ${id}`);
    return books;
  }

  #holdOf(id: string) {
    const hold = this.#holds.get(id);
    if (hold === undefined) throw new Error(`the auditor knows no hold ${id}`);
    return hold;
  }

  #bytesOf(owner: string): number {
    let bytes = 0;
    for (const kept of this.#kept.values()) {
      if (kept.live && kept.owner === owner) bytes += kept.bytes;
    }
    return bytes;
  }

  #countOf(owner: string): number {
    let count = 0;
    for (const [id, kept] of this.#kept) {
      if (kept.live && kept.owner === owner && id !== owner) count += 1;
    }
    return count;
  }
}
