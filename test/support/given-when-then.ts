import { expect } from "vitest";
import {
  asId,
  type Command,
  commit,
  type Decision,
  decide,
  type Event,
  emptyState,
  evolve,
  type Json,
  type Physics,
  type Question,
  type RefusalCode,
  type State,
  violations,
} from "../../src/kernel/index.ts";

import { readState } from "../../src/world/state-codec/read-state.ts";
import { stateText } from "../../src/world/state-codec/state-codec.ts";
import { type Actor, calls, createsAgent, offers, pays, writes } from "./commands.ts";
import { NOW, PHYSICS } from "./physics.ts";

/** Something that has happened: events as they are, or a command that must be accepted. */
export type Past = Event | Command | ((state: State) => void);

/** A world with genesis and the small physics, in which all this has happened. */
export const given = (...past: readonly Past[]): Scene => givenIn(PHYSICS, ...past);

export const givenIn = (physics: Physics, ...past: readonly Past[]): Scene => {
  const state = emptyState();
  undertake(state, { kind: "create_world", at_ms: 0, physics });
  for (const name of physics.genesis.enabled) {
    const id = asId(`genesis_${name}`);
    const fields = { type: "genesis" };
    undertake(state, { kind: "install_artifact", at_ms: 0, id, owner: id, fields });
  }
  for (const each of past) happen(state, each);
  commit(state);
  return new Scene(state);
};

const happen = (state: State, past: Past): void => {
  if (typeof past === "function") past(state);
  else if (isEvent(past)) evolve(state, past);
  else undertake(state, past);
};

const isEvent = (past: Event | Command): past is Event => "principal" in past;

const put = (state: State, command: Command): Decision<unknown> =>
  // The overloads tell kinds apart that are mixed here.
  decide(state, command as Parameters<typeof decide>[1]) as Decision<unknown>;

/** Puts a command that must be accepted, and applies what it causes. */
export const undertake = (state: State, command: Command): unknown => {
  const decision = put(state, command);
  if (decision.kind !== "accepted") {
    throw new Error(`the past could not happen: ${JSON.stringify([command, decision])}`);
  }
  for (const event of decision.events) evolve(state, event);
  return decision.answer;
};

/** The state as a reader has it who was handed its text. */
export const readBack = (state: State): State => {
  const read = readState(stateText(state));
  if (!read.ok) throw new Error(read.problem);
  return read.state;
};

/** What does not hold in a state, whether or not a call is still open. */
export const brokenIn = (state: State): readonly string[] =>
  violations(state)
    .filter(({ detail }) => !/^the purse .* outlived its call$/.test(detail))
    .map(({ invariant, detail }) => `${invariant}: ${detail}`);

export class Scene {
  readonly state: State;

  constructor(state: State) {
    this.state = state;
  }

  /** Decides, makes sure that deciding changed nothing, and applies what was accepted. */
  when(command: Command): Judged {
    const before = stateText(this.state);
    const decision = put(this.state, command);
    expect(stateText(this.state), "deciding changes nothing").toBe(before);
    if (decision.kind === "accepted") {
      for (const event of decision.events) evolve(this.state, event);
      expect(brokenIn(this.state), "what was accepted breaks no invariant").toEqual([]);
    }
    return new Judged(this.state, decision);
  }
}

/** Part of an event, for comparing: `at_ms` and `principal` go without saying. */
export type Telling = { readonly kind: Event["kind"] } & { readonly [field: string]: unknown };

/** What came of a command. */
export class Judged {
  readonly state: State;
  readonly decision: Decision<unknown>;

  constructor(state: State, decision: Decision<unknown>) {
    this.state = state;
    this.decision = decision;
  }

  /** Exactly these events, each with at least these fields. */
  thenHappened(...events: readonly Telling[]): this {
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
    const said = this.decision.kind === "refused" ? this.decision.refusal.message : "";
    if (words !== undefined) expect(said).toMatch(words);
    return this;
  }

  thenAsked(contract: string): this {
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
 * Walks down a ladder of checks: `worst` breaks every rule, and each rung is refused for the first
 * rule still broken and then mended of that one alone. What is left must be accepted.
 */
export const climb = <C extends Command>(
  scene: Scene,
  worst: C,
  rungs: readonly Rung<C>[],
): Judged => {
  let command = worst;
  for (const { refused, words, mend } of rungs) {
    scene.when(command).thenRefused(refused, words);
    command = mend(command);
  }
  return scene.when(command);
};

export type Rung<C> = {
  readonly refused: RefusalCode;
  readonly words?: RegExp;
  readonly mend: (command: C) => C;
};

export const agent = createsAgent;

type Fields = Parameters<typeof writes>[2];

/** An artifact without code. */
export const note = (id: string, owner: Actor, fields: Fields = {}): Command =>
  writes(owner, id, { content: `this is ${id}`, ...fields });

/** An artifact with code that defines `run`, or what the evidence says. */
export const program = (id: string, owner: Actor, fields: Fields = {}): Command =>
  writes(owner, id, { code: "function run() {}", ...fields });

/** A program that has an account, and disk of its own given by its owner. */
export const standing =
  (
    id: string,
    owner: Actor,
    { disk = 500, scrip = 0, ...fields }: Fields & { disk?: number; scrip?: number } = {},
  ) =>
  (state: State): void => {
    undertake(
      state,
      writes(owner, id, { code: "function run() {}", ...fields, has_standing: true }),
    );
    if (disk > 0) {
      const args = [id, "disk", disk];
      undertake(state, calls(owner, "genesis_rights_registry.transfer_quota", { args }));
    }
    if (scrip > 0) undertake(state, pays(owner, id, scrip));
  };

/** A contract whose answers the test itself gives, by permits. */
export const contract = (id: string, owner: Actor, fields: Fields = {}): Command =>
  writes(owner, id, {
    code: "function check_permission() {}",
    evidence: offers("check_permission"),
    ...fields,
  });

/** A window of which `amount` has just been used. */
export const used = (
  principal: string,
  used: { readonly actions?: number; readonly gas?: number; readonly bytes?: number },
): Past => {
  const { actions = 1, gas = 0, bytes = 0 } = used;
  return (state) => {
    for (let n = 1; n <= actions; n++)
      evolve(state, actionEnd(principal, n === actions, [gas, bytes]));
  };
};

const actionEnd = (
  principal: string,
  charge: boolean,
  [gas, bytes]: readonly [number, number],
): Event => ({
  at_ms: NOW,
  principal: asId(principal),
  kind: "action_completed",
  action: "noop",
  target: null,
  method: null,
  message: "",
  charged: { scrip: 0, gas: charge ? gas : 0, bytes: charge ? bytes : 0 },
  next_at_ms: null,
  result: null,
  cut: false,
});

/** The books of a principal, in short. */
export const balances = (state: State): Json =>
  Object.fromEntries(
    [...state.accounts.rows()]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((row) => [row.id, row.scrip]),
  );
