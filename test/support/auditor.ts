import type { State, Window } from "../../src/kernel/index.ts";

/** An event as the journal keeps it. */
export type Row = {
  readonly atMs: number;
  readonly kind: string;
  readonly principal: string | null;
  readonly body: string;
};

type AuditedEvent = {
  readonly at: number;
  readonly kind: string;
  readonly who: string | null;
  readonly n: (key: string) => number;
  readonly s: (key: string) => string;
  readonly raw: Readonly<Record<string, unknown>>;
};

const auditedEvent = ({ atMs, kind, principal, body }: Row): AuditedEvent => {
  const raw = JSON.parse(body) as Record<string, unknown>;
  return {
    at: atMs,
    kind,
    who: principal,
    n: (key) => Number(raw[key] ?? 0),
    s: (key) => String(raw[key]),
    raw,
  };
};

const RESOURCES = ["actions", "llm_calls", "llm_tokens", "cpu_gas", "bytes_written"];

const ACTION_END = /^action_(completed|refused)$/;

/** The kinds of events that each question needs. */
const PILES = {
  money: /^(scrip|hold|proceeds)_|^(principal_created|compute_bought)$/,
  rights: /^(budget_|quota_transferred$|principal_created$|thought_|compute_)/,
  work: /^action_(completed|refused)$|^thought_|^memory_written$/,
  writes: /^artifact_written$/,
  grants: /^delegation_|^ownership_transferred$|^artifact_written$/,
  lives: /^agent_|^action_refused$|^thought_failed$/,
} as const;

/** What a purchase of model budget cost. */
const costOf = (event: AuditedEvent): number =>
  event.kind === "compute_bought" ? event.n("lots") * event.n("price") : 0;

/**
 * Computes the accounts again, from the events alone: it sorts them into piles, and answers every
 * question by reading a pile from its beginning. It shares no code with the kernel.
 */
export class Auditor {
  readonly #event: AuditedEvent[] = [];
  readonly #piles = Object.fromEntries(
    Object.keys(PILES).map((pile): [string, AuditedEvent[]] => [pile, []]),
  ) as { readonly [P in keyof typeof PILES]: AuditedEvent[] };
  readonly #about = new Map<string, AuditedEvent[]>();
  /** What was found about an artifact since the last event about it. */
  readonly #found = new Map<string, Map<string, unknown>>();
  readonly #turnedAway = new Set<AuditedEvent>();

  note(rows: readonly Row[]): void {
    for (const event of rows.map(auditedEvent)) {
      this.#event.push(event);
      for (const [pile, kinds] of Object.entries(PILES)) {
        if (kinds.test(event.kind)) this.#piles[pile as keyof typeof PILES].push(event);
      }
      for (const key of ["artifact_id", "hold", "into"]) {
        if (typeof event.raw[key] !== "string") continue;
        const about = this.#about.get(event.s(key)) ?? [];
        this.#about.set(event.s(key), about);
        about.push(event);
        this.#found.delete(event.s(key));
      }
      if (event.raw.code === "rate_limited" && this.#hadNoActionLeft(event))
        this.#turnedAway.add(event);
    }
  }

  /** Every difference between the state and the events. */
  differences(state: State, now: number): readonly string[] {
    const found: string[] = [];
    const compare = (what: string, here: unknown, there: unknown): void => {
      if (here === there) return;
      const [ours, theirs] = [here, there].map((value) => JSON.stringify(value));
      found.push(`${what}: the events say ${ours}, the kernel ${theirs}`);
    };
    this.#compareAccounts(state, compare);
    this.#compareWindows(state, now, compare);
    this.#compareArtifacts(state, compare);
    this.#compareGrants(state, now, compare);
    this.#compareLives(state, compare);
    this.#compareWorld(state, compare);
    return found;
  }

  #compareAccounts(state: State, compare: Compare): void {
    compare("principals", this.#principals().join(), [...state.accounts.keys()].sort().join());
    for (const row of state.accounts.rows()) {
      const { id } = row;
      compare(`${id} scrip`, this.#scripOf(id), row.scrip);
      compare(`${id} held`, this.#heldOf(id), row.held);
      compare(`${id} budget`, this.#budgetOf(id), row.llmBudgetMicros);
      compare(`${id} disk used`, this.#bytesOf(id), row.diskUsed);
      compare(`${id} disk quota`, this.#quotaOf(id, "disk"), row.diskQuota);
      compare(`${id} owns`, this.#possessionsOf(id).length, row.owned);
      for (const resource of RESOURCES) {
        const quota = Reflect.get(row.quotas, resource);
        compare(`${id} ${resource}`, this.#quotaOf(id, resource), quota);
      }
    }
  }

  #compareWindows(state: State, now: number, compare: Compare): void {
    for (const [id, usage] of state.usages.entries()) {
      for (const resource of RESOURCES) {
        const live = this.#amountIn(Reflect.get(usage, resource) as Window, now);
        compare(`${id} used ${resource}`, this.#usedBy(id, resource, now), live);
      }
    }
  }

  #amountIn({ entries }: Window, now: number): number {
    return entries.list
      .slice(entries.head, entries.tail)
      .filter(({ at }) => at > now - this.#windowMs())
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  #compareGrants(state: State, now: number, compare: Compare): void {
    const open = this.#grants();
    compare("grants", [...open.keys()].sort().join(), [...state.grants.keys()].sort().join());
    for (const grant of state.grants.rows()) {
      const key = `${grant.grantor} ${grant.contract}`;
      const granted = this.#piles.grants
        .slice(open.get(key) ?? 0)
        .filter((each) => grantOf(each) === key);
      const [last] = granted.filter(({ kind }) => kind === "delegation_granted").slice(-1);
      const used = granted
        .filter(({ kind, at }) => kind === "delegation_used" && at > now - this.#windowMs())
        .reduce((sum, each) => sum + each.n("amount"), 0);
      compare(`${key} used`, used, this.#amountIn(grant.used, now));
      compare(`${key} per call`, last?.n("max_per_call"), grant.maxPerCall);
      compare(`${key} per window`, last?.n("max_per_window"), grant.maxPerWindow);
    }
  }

  /**
   * The open grants, each with its place in the pile. A grant ends when it is revoked, when its
   * grantor or an owner of its grantor gets a new owner, and when either party is deleted.
   */
  #grants(): ReadonlyMap<string, number> {
    const open = new Map<string, number>();
    const owners = new Map<string, string>();
    const isBelow = (id: string, sold: string): boolean => {
      const owner = owners.get(id) ?? id;
      return id === sold || (owner !== id && isBelow(owner, sold));
    };
    for (const [at, event] of this.#piles.grants.entries()) {
      const key = grantOf(event);
      if (event.kind === "artifact_written") owners.set(event.s("artifact_id"), event.s("owner"));
      if (event.kind === "delegation_granted" && !open.has(key)) open.set(key, at);
      if (event.kind === "delegation_revoked") open.delete(key);
      if (event.kind !== "ownership_transferred") continue;
      owners.set(event.s("artifact_id"), event.s("to"));
      for (const [key] of open) {
        if (isBelow(key.split(" ")[0] ?? "", event.s("artifact_id"))) open.delete(key);
      }
    }
    for (const key of open.keys()) {
      if (key.split(" ").some((id) => this.#isDeleted(id))) open.delete(key);
    }
    return open;
  }

  #compareArtifacts(state: State, compare: Compare): void {
    const ids = this.#created();
    compare("artifacts", [...ids].sort().join(), [...state.artifacts.keys()].sort().join());
    for (const row of state.artifacts.rows()) {
      const { id } = row;
      compare(`${id} is deleted`, this.#isDeleted(id), row.deleted !== null);
      compare(`${id} owner`, this.#ownerOf(id), row.owner);
      compare(`${id} size`, this.#sizeOf(id), row.sizeBytes);
      compare(
        `${id} version`,
        this.#writes(id).length + this.#count("workspace_changed", id),
        row.version,
      );
      compare(`${id} price`, this.#field(id, "price") ?? 0, row.price);
      compare(`${id} read price`, this.#field(id, "read_price") ?? 0, row.readPrice);
      compare(`${id} locked`, this.#field(id, "access_locked") ?? false, row.accessLocked);
      compare(`${id} standing`, this.#field(id, "has_standing") ?? false, row.hasStanding);
      compare(`${id} ordinal`, ids.indexOf(id) + 1, row.ordinal);
      const access = this.#field(id, "access") ?? this.#physics("access", "default");
      compare(`${id} access`, access, row.access);
      const trade = state.trades.get(id);
      compare(`${id} calls`, this.#count("artifact_invoked", id), trade?.calls ?? 0);
      compare(`${id} failures`, this.#count("invocation_failed", id), trade?.failures ?? 0);
      compare(`${id} reads`, this.#count("artifact_read", id), trade?.reads ?? 0);
      compare(`${id} revenue`, this.#revenueOf(id), trade?.revenue ?? 0);
      compare(`${id} on offer to`, this.#offerOf(id), state.offers.get(id)?.to ?? null);
    }
  }

  #compareLives(state: State, compare: Compare): void {
    const lives = new Map<string, { state: string; waits: boolean }>();
    for (const event of this.#piles.lives) {
      const id = String(
        event.raw.agent ?? (event.kind === "agent_created" ? event.raw.id : event.who),
      );
      const next = stateAfter(event);
      if (next === null) continue;
      const sleep = event.raw.sleep as { until: readonly unknown[] } | undefined;
      lives.set(id, { state: next, waits: (sleep?.until.length ?? 0) > 0 });
    }
    compare("agents", [...lives.keys()].sort().join(), [...state.agents.keys()].sort().join());
    for (const agent of state.agents.rows()) {
      const life = lives.get(agent.id);
      compare(`${agent.id} is`, life?.state, agent.state);
      compare(`${agent.id} waits to be woken`, life?.waits, state.sleepers.has(agent.id));
    }
  }

  #compareWorld(state: State, compare: Compare): void {
    const { supply, undistributed, budget } = state.world.get("world") ?? {};
    compare("endowed", this.#sum("principal_created", "scrip"), supply?.endowed);
    compare("minted", this.#sum("scrip_minted", "amount"), supply?.minted);
    const burned = this.#piles.money.filter(
      ({ kind, raw }) => kind === "hold_spent" && raw.to === null,
    );
    const fromHolds = burned.reduce((sum, event) => sum + event.n("amount"), 0);
    const burnedProceeds = this.#sum("proceeds_burned", "amount");
    const burnedFees = this.#sum("scrip_burned", "amount") + fromHolds;
    compare("burned", burnedFees + burnedProceeds, supply?.burned);
    const waiting =
      this.#piles.money.reduce((sum, event) => sum + costOf(event), 0) +
      this.#sum("proceeds_collected", "amount") -
      this.#sum("proceeds_shared", "amount") -
      burnedProceeds;
    compare("undistributed", waiting, undistributed);
    const issued = this.#piles.rights.filter(({ kind }) =>
      /^(compute_(bought|granted)|budget_issued)$/.test(kind),
    );
    const micros = issued.reduce((sum, event) => sum + event.n("micros"), 0);
    compare("issued", micros, budget?.issued);
    compare("endowed budget", this.#sum("principal_created", "llm_budget_micros"), budget?.endowed);
    compare(
      "all scrip",
      this.#principals().reduce((sum, id) => sum + this.#scripOf(id) + this.#heldOf(id), waiting),
      (supply?.endowed ?? 0) + (supply?.minted ?? 0) - (supply?.burned ?? 0),
    );
    compare("holds", [...this.#openHolds()].sort().join(), [...state.holds.keys()].sort().join());
    for (const agent of state.agents.rows()) {
      const acted = this.#piles.work.filter(
        ({ kind, who }) => ACTION_END.test(kind) && who === agent.id,
      );
      compare(`${agent.id} actions`, acted.length, agent.counters.actions);
    }
  }

  #sum(kind: string, key: string): number {
    return this.#piles.money
      .filter((event) => event.kind === kind)
      .reduce((sum, event) => sum + event.n(key), 0);
  }

  #of(artifactOrHold: string): readonly AuditedEvent[] {
    return this.#about.get(artifactOrHold) ?? [];
  }

  /** Answers a question about an artifact once until the next event about it. */
  #once<Answer>(artifact: string, question: string, answer: () => Answer): Answer {
    const found = this.#found.get(artifact) ?? new Map<string, unknown>();
    this.#found.set(artifact, found);
    if (!found.has(question)) found.set(question, answer());
    return found.get(question) as Answer;
  }

  #count(kind: string, artifact: string): number {
    return this.#once(
      artifact,
      kind,
      () => this.#of(artifact).filter((event) => event.kind === kind).length,
    );
  }

  #physics(part: string, key: string): unknown {
    const born = this.#event.find(({ kind }) => kind === "world_created");
    const physics = born?.raw.physics as Record<string, Record<string, unknown>> | undefined;
    return physics?.[part]?.[key];
  }

  #windowMs(): number {
    return Number(this.#physics("resources", "window_ms"));
  }

  #principals(): readonly string[] {
    const born = this.#piles.money
      .filter(({ kind }) => kind === "principal_created")
      .map((event) => event.s("id"));
    return born.filter((id) => !this.#isDeleted(id)).sort();
  }

  #scripOf(id: string): number {
    let scrip = 0;
    for (const event of this.#piles.money) {
      const amount = event.n("amount");
      if (event.kind === "principal_created" && event.raw.id === id) scrip += event.n("scrip");
      if (event.kind === "scrip_minted" && event.raw.to === id) scrip += amount;
      if (event.kind === "scrip_burned" && event.raw.from === id) scrip -= amount;
      if (event.kind === "scrip_held" && event.raw.from === id) scrip -= amount;
      if (event.kind === "hold_spent" && event.raw.to === id) scrip += amount;
      if (event.kind === "proceeds_shared" && event.raw.to === id) scrip += amount;
      if (event.raw.buyer === id && event.raw.hold === null) scrip -= costOf(event);
      if (event.kind === "scrip_transferred" && event.raw.from === id) scrip -= amount;
      if (event.kind === "scrip_transferred" && event.raw.to === id) scrip += amount;
      if (event.kind !== "hold_released" || event.raw.into !== null) continue;
      if (this.#holderOf(event.s("hold")) === id) scrip += this.#leftIn(event.s("hold"), event);
    }
    return scrip;
  }

  #heldOf(id: string): number {
    const own = this.#openHolds().filter((hold) => this.#holderOf(hold) === id);
    return own.reduce((sum, hold) => sum + this.#leftIn(hold, null), 0);
  }

  #openHolds(): readonly string[] {
    const made = this.#piles.money.flatMap((event) =>
      event.kind === "scrip_held"
        ? [event.s("hold")]
        : event.kind === "hold_split"
          ? [event.s("into")]
          : [],
    );
    const released = this.#piles.money.filter(({ kind }) => kind === "hold_released");
    return made.filter((hold) => !released.some((event) => event.raw.hold === hold));
  }

  /** The owner of the scrip in a hold, or in the hold that it was split from. */
  #holderOf(hold: string): string {
    const [made] = this.#of(hold).filter(
      ({ kind, raw }) => kind === "scrip_held" && raw.hold === hold,
    );
    if (made !== undefined) return made.s("from");
    const [split] = this.#of(hold).filter(
      ({ kind, raw }) => kind === "hold_split" && raw.into === hold,
    );
    return split === undefined ? "unknown" : this.#holderOf(split.s("hold"));
  }

  /** The scrip in a hold before an event, or now. */
  #leftIn(hold: string, before: AuditedEvent | null): number {
    let left = 0;
    for (const event of this.#of(hold)) {
      if (event === before) break;
      const amount = event.n("amount");
      if (event.kind === "scrip_held" && event.raw.hold === hold) left += amount;
      if (event.kind === "hold_split" && event.raw.into === hold) left += amount;
      if (event.kind === "hold_split" && event.raw.hold === hold) left -= amount;
      if (/^(hold_spent|proceeds_collected)$/.test(event.kind) && event.raw.hold === hold)
        left -= amount;
      if (event.kind === "compute_bought") left -= costOf(event);
      if (event.kind === "hold_released" && event.raw.into === hold)
        left += this.#leftIn(event.s("hold"), event);
    }
    return left;
  }

  #budgetOf(id: string): number {
    let micros = 0;
    for (const event of this.#piles.rights) {
      if (event.kind === "principal_created" && event.raw.id === id)
        micros += event.n("llm_budget_micros");
      if (event.kind === "budget_transferred" && event.raw.from === id) micros -= event.n("micros");
      if (event.kind === "budget_transferred" && event.raw.to === id) micros += event.n("micros");
      if (event.raw.buyer === id) micros += event.n("micros");
      if (event.kind === "compute_granted" && event.raw.to === id) micros += event.n("micros");
      if (event.kind === "budget_issued" && event.raw.to === id) micros += event.n("micros");
      if (event.kind === "budget_withdrawn" && event.raw.from === id) micros -= event.n("micros");
      if (!/^thought_(?!started)/.test(event.kind) || event.who !== id) continue;
      micros = Math.max(0, micros - usageOf(event).cost_micros);
    }
    return micros;
  }

  #quotaOf(id: string, resource: string): number {
    let quota = 0;
    for (const event of this.#piles.rights) {
      if (event.kind === "principal_created" && event.raw.id === id) {
        const quotas = event.raw.quotas as Record<string, number>;
        quota += resource === "disk" ? event.n("disk_quota") : (quotas[resource] ?? 0);
      }
      if (event.kind !== "quota_transferred" || event.raw.resource !== resource) continue;
      if (event.raw.from === id) quota -= event.n("amount");
      if (event.raw.to === id) quota += event.n("amount");
    }
    return quota;
  }

  #usedBy(id: string, resource: string, now: number): number {
    let used = 0;
    for (const event of this.#piles.work) {
      if (event.who === id && event.at > now - this.#windowMs())
        used += this.#useOf(event, resource);
    }
    return used;
  }

  #useOf(event: AuditedEvent, resource: string): number {
    if (/^thought_(?!started)/.test(event.kind)) {
      const { calls, input_tokens, output_tokens } = usageOf(event);
      if (resource === "llm_calls") return calls;
      return resource === "llm_tokens" ? input_tokens + output_tokens : 0;
    }
    if (event.kind === "memory_written") return resource === "bytes_written" ? event.n("bytes") : 0;
    if (!ACTION_END.test(event.kind)) return 0;
    const charged = event.raw.charged as { gas: number; bytes: number };
    if (resource === "cpu_gas") return charged.gas;
    if (resource === "bytes_written") return charged.bytes;
    return resource === "actions" && !this.#turnedAway.has(event) ? 1 : 0;
  }

  /** True if the window was full before this action. Valid only when the event is new. */
  #hadNoActionLeft(event: AuditedEvent): boolean {
    const id = event.who ?? "";
    return this.#usedBy(id, "actions", event.at) - 1 >= this.#quotaOf(id, "actions");
  }

  #created(): readonly string[] {
    const made = this.#piles.writes.filter(({ raw }) => raw.created === true);
    return made.map((event) => event.s("artifact_id"));
  }

  #writes(id: string): readonly AuditedEvent[] {
    return this.#of(id).filter(({ kind }) => kind === "artifact_written");
  }

  /** The files of a workspace after all of its changes, as its content has them. */
  #contentOf(id: string): string {
    let content = "";
    for (const { kind, raw } of this.#of(id)) {
      const fields = (raw.fields ?? {}) as { readonly content?: string };
      if (kind === "artifact_written") content = fields.content ?? content;
      if (kind !== "workspace_changed") continue;
      const files = filesIn(content);
      const { in: changed, without = [] } = raw.patch as FilePatch;
      for (const path of without) files.delete(path);
      for (const [path, { to }] of Object.entries(changed)) files.set(path, to);
      content = JSON.stringify(Object.fromEntries(files));
    }
    return content;
  }

  /** The latest value of a field; undefined if it was never written. */
  #field(id: string, name: string): unknown {
    return this.#once(id, `field ${name}`, () => {
      const fields = this.#writes(id).map(({ raw }) => raw.fields as Record<string, unknown>);
      return fields.filter((each) => each[name] !== undefined).at(-1)?.[name];
    });
  }

  #isDeleted(id: string): boolean {
    return this.#count("artifact_deleted", id) > 0;
  }

  #ownerOf(id: string): string | undefined {
    return this.#once(id, "owner", () => {
      const moved = this.#of(id).filter(({ kind }) => kind === "ownership_transferred");
      return moved.at(-1)?.s("to") ?? this.#writes(id)[0]?.s("owner");
    });
  }

  #sizeOf(id: string): number {
    return this.#once(id, "size", () => this.#sizeIn(id));
  }

  #sizeIn(id: string): number {
    if (this.#isDeleted(id)) return 0;
    const text = (name: string): number => Buffer.byteLength(String(this.#field(id, name) ?? ""));
    const json = (name: string): number => {
      const value = this.#field(id, name) ?? null;
      const empty = value === null || (name === "metadata" && JSON.stringify(value) === "{}");
      return empty ? 0 : Buffer.byteLength(JSON.stringify(value));
    };
    const depends = (this.#field(id, "depends_on") ?? []) as readonly string[];
    const states = this.#of(id).filter(({ kind }) => kind === "artifact_state_changed");
    const state = states.at(-1)?.s("state") ?? "{}";
    const kept = state === "{}" ? 0 : Buffer.byteLength(state);
    const texts = text("type") + Buffer.byteLength(this.#contentOf(id)) + text("code");
    return texts + json("interface") + json("metadata") + depends.join("").length + kept;
  }

  #possessionsOf(id: string): readonly string[] {
    const others = this.#created().filter((each) => each !== id && !this.#isDeleted(each));
    return others.filter((each) => this.#ownerOf(each) === id);
  }

  #bytesOf(id: string): number {
    const own = [...this.#possessionsOf(id), ...(this.#ownerOf(id) === id ? [id] : [])];
    return own.reduce((sum, each) => sum + this.#sizeOf(each), 0);
  }

  #revenueOf(id: string): number {
    const own = this.#of(id);
    const sold = own.filter(({ kind, raw }) => kind === "artifact_invoked" && raw.paid_to !== null);
    const read = own.filter(({ kind }) => kind === "artifact_read");
    return [...sold, ...read].reduce((sum, event) => sum + event.n("price"), 0);
  }

  #offerOf(id: string): string | null {
    const ends = ["ownership_offered", "ownership_offer_ended", "ownership_transferred"];
    const last = this.#of(id)
      .filter(({ kind }) => kind === "artifact_deleted" || ends.includes(kind))
      .at(-1);
    return last?.kind === "ownership_offered" ? last.s("to") : null;
  }
}

type FilePatch = {
  readonly in: { readonly [path: string]: { readonly to: string } };
  readonly without?: readonly string[];
};

const filesIn = (content: string): Map<string, string> => {
  try {
    const found: unknown = JSON.parse(content);
    return new Map(Object.entries(found as { readonly [path: string]: string }));
  } catch {
    return new Map();
  }
};

const grantOf = (event: AuditedEvent): string => `${event.s("grantor")} ${event.s("contract")}`;

/** The state of an agent after an event; null if the event does not change it. */
const stateAfter = ({ kind, raw }: AuditedEvent): string | null => {
  if (kind === "agent_created") return "running";
  return kind === "agent_state_changed" ? String(raw.to) : null;
};

type Compare = (what: string, here: unknown, there: unknown) => void;

type Usage = {
  readonly [count in "calls" | "input_tokens" | "output_tokens" | "cost_micros"]: number;
};

const usageOf = (event: AuditedEvent): Usage => event.raw.usage as Usage;
