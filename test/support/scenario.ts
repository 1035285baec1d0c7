import { expect } from "vitest";
import {
  type Account,
  type Agent,
  type Artifact,
  asId,
  type Call,
  type Command,
  commit,
  type Decided,
  decide,
  type Event,
  emptyState,
  evolve,
  type Happened,
  type Json,
  must,
  type Physics,
  type Question,
  type RefusalCode,
  type State,
  violations,
} from "../../src/kernel/index.ts";
import { readState, stateText } from "../../src/world/index.ts";
import { type Actor, createsAgent, opens, pays, transfersQuota, writes } from "./commands.ts";
import { actionCompleted } from "./iterations.ts";
import { PHYSICS } from "./physics.ts";

/** One step of a past: an event, a command that must be accepted, or any change of the state. */
export type Past = Event | Command | ((state: State) => void);

/** A world with genesis and the small physics after these steps. */
export const given = (...past: readonly Past[]): Scenario => givenIn(PHYSICS, ...past);

export const givenIn = (physics: Physics, ...past: readonly Past[]): Scenario => {
  const state = emptyState();
  execute(state, { kind: "create_world", at_ms: 0, physics });
  for (const name of physics.genesis.enabled) {
    const id = asId(`genesis_${name}`);
    const fields = { type: "genesis" };
    execute(state, { kind: "install_artifact", at_ms: 0, id, owner: id, fields });
  }
  for (const step of past) apply(state, step);
  commit(state);
  return new Scenario(state);
};

const apply = (state: State, step: Past): void => {
  if (typeof step === "function") step(state);
  else if ("principal" in step) evolve(state, step);
  else execute(state, step);
};

const decideAny = (state: State, command: Command): Decided<unknown> =>
  // `decide` has one overload for each kind of command.
  decide(state, command as Parameters<typeof decide>[1]) as Decided<unknown>;

/** Decides a command that must be accepted, and applies its events. Returns the answer. */
export const execute = (state: State, command: Command): unknown => {
  const decision = decideAny(state, command);
  if (decision.kind !== "accepted") {
    throw new Error(`not accepted: ${JSON.stringify([command, decision])}`);
  }
  for (const event of decision.events) evolve(state, event);
  return decision.answer;
};

/** The state after it was written as text and read again. */
export const reloaded = (state: State): State => {
  const read = readState(stateText(state));
  if (!read.ok) throw new Error(read.problem);
  return read.state;
};

/** Every broken invariant, except that a call which is still open may have a purse. */
const invariantProblems = (state: State): readonly string[] =>
  violations(state)
    .filter(({ detail }) => !/^the purse .* outlived its call$/.test(detail))
    .map(({ invariant, detail }) => `${invariant}: ${detail}`);

export class Scenario {
  readonly state: State;

  constructor(state: State) {
    this.state = state;
  }

  /** Decides, checks that deciding changed nothing, and applies the events if it is accepted. */
  when(command: Command): ScenarioResult {
    const before = stateText(this.state);
    const decision = decideAny(this.state, command);
    expect(stateText(this.state), "deciding changes nothing").toBe(before);
    const events = decision.kind === "accepted" ? decision.events : [];
    const happened = events.map((event) => this.happens(event));
    if (decision.kind === "accepted") {
      expect(invariantProblems(this.state), "accepted events break no invariant").toEqual([]);
    }
    return new ScenarioResult(this.state, decision, happened);
  }

  /** Applies an event. Returns it with whom it concerns. */
  happens(event: Event): Happened {
    return evolve(this.state, event);
  }

  /** The free scrip of every principal. */
  balances(): Json {
    const rows = [...this.state.accounts.rows()];
    return Object.fromEntries(rows.map(({ id, scrip }) => [id, scrip]));
  }

  account(id: string): Account {
    return accountOf(this.state, id);
  }

  artifact(id: string): Artifact {
    return artifactOf(this.state, id);
  }

  agent(id: string): Agent {
    return agentOf(this.state, id);
  }
}

/** An event by its kind, or by its kind and the fields that a test compares. */
type ExpectedEvent =
  | Event["kind"]
  | { readonly kind: Event["kind"]; readonly [field: string]: unknown };

export class ScenarioResult {
  readonly state: State;
  readonly decision: Decided<unknown>;
  readonly happened: readonly Happened[];

  constructor(state: State, decision: Decided<unknown>, happened: readonly Happened[]) {
    this.state = state;
    this.decision = decision;
    this.happened = happened;
  }

  /** Exactly these events, as arguments or as a list, each with at least these fields. */
  thenHappened(...expected: readonly (ExpectedEvent | readonly ExpectedEvent[])[]): this {
    const events = expected
      .flat()
      .map((each) => (typeof each === "string" ? { kind: each } : each));
    expect(this.decision).toMatchObject({ kind: "accepted" });
    const happened = this.decision.kind === "accepted" ? this.decision.events : [];
    expect(happened.map(({ kind }) => kind)).toEqual(events.map(({ kind }) => kind));
    expect(happened).toMatchObject(events);
    return this;
  }

  thenAnswered(answer: unknown): this {
    expect(this.decision).toMatchObject({ kind: "accepted", answer });
    return this;
  }

  thenRefused(code: RefusalCode, words?: RegExp): this {
    expect(this.decision).toMatchObject({ kind: "refused", refusal: { code } });
    const message = this.decision.kind === "refused" ? this.decision.refusal.message : "";
    if (words !== undefined) expect(message).toMatch(words);
    return this;
  }

  thenAsksContract(contract: string): this {
    expect(this.decision).toMatchObject({ kind: "asks", question: { contract } });
    return this;
  }

  thenAsks(question: Question): this {
    expect(this.decision).toEqual({ kind: "asks", question });
    return this;
  }

  get answer(): unknown {
    expect(this.decision).toMatchObject({ kind: "accepted" });
    return this.decision.kind === "accepted" ? this.decision.answer : undefined;
  }
}

/**
 * Sends a command that breaks every rule. Each step expects the refusal for the first rule that is
 * still broken, and then fixes only that. Returns what the command without faults does.
 */
export const refusesInOrder = <C extends Command>(
  scene: Scenario,
  worst: C,
  steps: readonly RefusalStep<C>[],
): ScenarioResult => {
  let command = worst;
  for (const [code, words, fix] of steps) {
    scene.when(command).thenRefused(code, words ?? undefined);
    command = typeof fix === "function" ? fix(command) : { ...command, ...fix };
  }
  return scene.when(command);
};

/** The fix gives other fields of the command, or makes another command of it. */
type RefusalStep<C> = readonly [
  code: RefusalCode,
  words: RegExp | null,
  fix: Partial<C> | ((command: C) => C),
];

/** Rows of a state that must exist. */
export const accountOf = (state: State, id: string): Account =>
  must(state.accounts.get(asId(id)), `an account ${id}`);
export const artifactOf = (state: State, id: string): Artifact =>
  must(state.artifacts.get(asId(id)), `an artifact ${id}`);
export const agentOf = (state: State, id: string): Agent =>
  must(state.agents.get(asId(id)), `an agent ${id}`);

export const agent = createsAgent;

type Fields = Parameters<typeof writes>[2];

/** An artifact without code. */
export const note = (id: string, owner: Actor, fields: Fields = {}): Command =>
  writes(owner, id, { content: `this is ${id}`, ...fields });

/** An artifact with code that defines `run`, unless the evidence says otherwise. */
export const program = (id: string, owner: Actor, fields: Fields = {}): Command =>
  writes(owner, id, { code: "function run() {}", ...fields });

/** A program with an account, to which its owner gives disk and scrip. */
export const standing =
  (
    id: string,
    owner: Actor,
    { disk = 500, scrip = 0, ...fields }: Fields & { disk?: number; scrip?: number } = {},
  ) =>
  (state: State): void => {
    execute(state, writes(owner, id, { code: "function run() {}", ...fields, has_standing: true }));
    if (disk > 0) execute(state, transfersQuota(owner, id, "disk", disk));
    if (scrip > 0) execute(state, pays(owner, id, scrip));
  };

/** An access contract. The test gives its answers, as permits. */
export const contract = (id: string, owner: Actor, fields: Fields = {}): Command =>
  writes(owner, id, {
    code: "function check_permission() {}",
    evidence: { code_check: { methods: ["check_permission"], print: "a print" } },
    ...fields,
  });

/** A principal that has just used this much of its windows. */
export const consumed = (
  principal: string,
  used: { readonly actions?: number; readonly gas?: number; readonly bytes?: number },
): Past => {
  const { actions = 1, gas = 0, bytes = 0 } = used;
  return (state) => {
    for (let n = 1; n < actions; n++) evolve(state, actionCompleted(principal));
    evolve(state, actionCompleted(principal, { charged: { scrip: 0, gas, bytes } }));
  };
};

/** A caller calls a program, pays for it, and the call ends well. */
export const called =
  (caller: Actor, artifact: string) =>
  (state: State): void => {
    const call = execute(state, opens(caller, artifact)) as Call;
    execute(state, {
      kind: "close_invocation",
      call,
      ran: { state: null, gas: 7, log: "", notified: [] },
    });
  };

/** Other fields in a row, whatever the rules say. */
export const changedAccount = (id: string, fields: Partial<Account>) => (state: State) =>
  state.accounts.put(asId(id), { ...accountOf(state, id), ...fields });
export const changedArtifact = (id: string, fields: Partial<Artifact>) => (state: State) =>
  state.artifacts.put(asId(id), { ...artifactOf(state, id), ...fields });
