import { afterAll, expect } from "vitest";
import { asId, emptyState, type Json, type Physics, type State } from "../../src/kernel/index.ts";
import {
  type Outcome,
  openingRequests,
  type Request,
  type Sandbox,
  sandboxFor,
  stateText,
  World,
  type WorldParts,
} from "../../src/world/index.ts";
import { Auditor, type Row } from "./auditor.ts";
import { createsAgent } from "./commands.ts";
import { NOW, PHYSICS } from "./physics.ts";

export type Committed = {
  readonly command: string;
  readonly timedOut: boolean;
  readonly events: readonly Row[];
};

type Options = {
  readonly physics?: Physics;
  readonly journal?: WorldParts["journal"];
  readonly agentProblem?: WorldParts["agentProblem"];
  readonly happened?: NonNullable<WorldParts["happened"]>;
  /** False: checks the invariants only, for tests of many transactions. */
  readonly isAudited?: boolean;
};

export type CallOptions = {
  readonly method?: string;
  readonly attach?: { readonly scrip?: number; readonly artifacts?: readonly string[] };
  readonly max_price?: number;
};

/** A sandbox for all tests of a file, closed after them. */
export const fileSandbox = (physics = PHYSICS): Sandbox => {
  const sandbox = sandboxFor(physics);
  afterAll(() => sandbox.close());
  return sandbox;
};

type Calling = readonly [args?: readonly Json[], more?: CallOptions];
type Programming = readonly [code: string, fields?: { readonly [field: string]: Json }];

/** Content that is "broken" is not valid for an agent. */
const agentProblem = (content: string): string | null =>
  content === "broken" ? "it is broken" : null;

/**
 * A world with a journal in memory. After every request it checks all invariants and compares the
 * state with the auditor's results.
 */
export class TestWorld {
  readonly world: World;
  readonly committed: Committed[] = [];
  readonly #auditor = new Auditor();
  readonly #journal: WorldParts["journal"] | undefined;
  readonly #isAudited: boolean;
  atMs = NOW;

  constructor(sandbox: Sandbox, { physics = PHYSICS, journal, ...options }: Options = {}) {
    this.#journal = journal;
    this.#isAudited = options.isAudited ?? true;
    this.world = new World({
      state: emptyState(),
      journal: { append: (transaction: Committed) => this.#append(transaction) },
      sandbox,
      agentProblem: options.agentProblem ?? agentProblem,
      checkEvery: 1,
      ...(options.happened === undefined ? {} : { happened: options.happened }),
    });
    for (const request of openingRequests(physics)) this.world.submit(request);
  }

  get state(): State {
    return this.world.state;
  }

  /** The events of the last transaction, as plain records. */
  get events(): readonly Readonly<Record<string, unknown>>[] {
    return (this.committed.at(-1)?.events ?? []).map(({ atMs, kind, principal, body }) => ({
      atMs,
      kind,
      principal,
      ...JSON.parse(body),
    }));
  }

  get kinds(): readonly string[] {
    return this.events.map(({ kind }) => String(kind));
  }

  submit(request: Request): Outcome {
    const outcome = this.world.submit(request);
    if (!this.#isAudited) return outcome;
    const differences = this.#auditor.differences(this.state, this.atMs);
    expect(differences, `after ${JSON.stringify(request)}`).toEqual([]);
    return outcome;
  }

  agent(id: string, birth: Parameters<typeof createsAgent>[1] = {}): this {
    expect(this.submit(createsAgent(id, birth))).toMatchObject({ success: true });
    return this;
  }

  acts(who: string, action: Json): Outcome {
    return this.submit({ kind: "take_action", at_ms: this.atMs, principal: asId(who), action });
  }

  reads(who: string, artifact_id: string, max_price?: number): Outcome {
    const limit = max_price === undefined ? {} : { max_price };
    return this.acts(who, { read_artifact: { artifact_id, ...limit } });
  }

  writes(who: string, artifact_id: string, fields: { readonly [field: string]: Json }): Outcome {
    return this.acts(who, { write_artifact: { artifact_id, ...fields } });
  }

  /** Calls `artifact.method`, or `run`. */
  calls(who: string, target: string, ...[args = [], more = {}]: Calling): Outcome {
    const [artifact_id = "", method = "run"] = target.split(".");
    const invoke_artifact = { artifact_id, method, args, ...more } as unknown as Json;
    return this.acts(who, { invoke_artifact });
  }

  /** Makes a program that must be accepted. */
  program(owner: string, id: string, ...[code, fields = {}]: Programming): this {
    expect(this.writes(owner, id, { code, ...fields })).toMatchObject({ success: true });
    return this;
  }

  /** Makes programs, by id, that must be accepted. */
  programs(owner: string, codes: { readonly [id: string]: string }): this {
    for (const [id, code] of Object.entries(codes)) this.program(owner, id, code);
    return this;
  }

  /** Makes a program with an account, with disk and scrip from its owner. */
  standing(
    owner: string,
    id: string,
    { code, disk = 2_000, scrip = 0, ...fields }: Standing,
  ): this {
    this.program(owner, id, code, { ...fields, has_standing: true });
    this.must(this.calls(owner, "genesis_rights_registry.transfer_quota", [id, "disk", disk]));
    if (scrip > 0) this.must(this.calls(owner, "genesis_ledger.transfer", [id, scrip]));
    return this;
  }

  /** One agent or program gives an artifact to another, which accepts it. */
  hands(id: string, [from, to]: readonly [string, string]): void {
    this.must(this.calls(from, "genesis_ledger.transfer_ownership", [id, to]));
    this.must(this.calls(to, "genesis_ledger.accept", [id]));
  }

  /** The owner attaches its artifact to a call of this method. */
  attaches(owner: string, artifact: string, target: string): Outcome {
    return this.must(this.calls(owner, target, [], { attach: { artifacts: [artifact] } }));
  }

  must(outcome: Outcome): Outcome {
    expect(outcome).toMatchObject({ success: true });
    return outcome;
  }

  scrip(id: string): number | undefined {
    return this.state.accounts.get(asId(id))?.scrip;
  }

  scrips(...ids: readonly string[]): readonly (number | undefined)[] {
    return ids.map((id) => this.scrip(id));
  }

  held(id: string): number | undefined {
    return this.state.accounts.get(asId(id))?.held;
  }

  owner(id: string): string | undefined {
    return this.state.artifacts.get(asId(id))?.owner;
  }

  stateOf(id: string): Json {
    return JSON.parse(this.state.artifacts.get(asId(id))?.state ?? "null");
  }

  text(): string {
    return stateText(this.state);
  }

  #append(transaction: Committed): void {
    this.#journal?.append(transaction);
    this.committed.push(transaction);
    if (this.#isAudited) this.#auditor.note(transaction.events);
  }
}

type Standing = {
  readonly code: string;
  readonly disk?: number;
  readonly scrip?: number;
  readonly [field: string]: Json | undefined;
};

/** The answer of a call that succeeded. */
export const resultOf = (outcome: Outcome): Json => {
  expect(outcome).toMatchObject({ success: true, error_code: null });
  return JSON.parse(outcome.result ?? "null");
};

export const expectRefused = (outcome: Outcome, error_code: string, words = /./): void => {
  expect(outcome).toMatchObject({ success: false, error_code });
  expect(outcome.message).toMatch(words);
};
