import { isObject, type Json } from "../../src/kernel/index.ts";

import {
  type Journal,
  type Sandbox,
  stateHash,
  takeSnapshotBeside,
} from "../../src/world/index.ts";
import { Dice } from "./dice.ts";
import { physicsWith } from "./physics.ts";
import { AGENTS, Rogue } from "./rogue.ts";
import { Village } from "./world.ts";

/** The world that rogues live in. */
export const ROGUE_PHYSICS = physicsWith({
  resources: { window_ms: 20_000 },
  sandbox: { gas_max: 8_000, syscalls_max: 12, memory_bytes: 1_048_576 },
  genesis: { costs: { genesis_ledger: { transfer: 1 } } },
});

/** Asks what its caller planned, or does something of its own where it was given a number. */
const RUN = `
function run(plan) {
  if (Array.isArray(plan)) {
    return plan.map(({ name, args, bold }) => {
      try { return kernel[name](...args) }
      catch (error) { if (bold) throw error; return error.code ?? "?" }
    });
  }
  state.calls = (state.calls ?? 0) + 1;
  if (plan % 3 === 0) kernel.pay(caller, 1);
  if (plan % 4 === 0) state.memo = "m".repeat(plan * 9);
  if (plan % 5 === 0) kernel.fail("five", "as planned");
  if (plan % 7 === 0) for (;;) {}
  return [kernel.random(), attached];
}`;
const CHECK = `
function check_permission({ caller, owner, args }) {
  const sum = Number(args[0]) || 2;
  if (sum % 4 === 0) throw "closed";
  const [payer, recipient] = sum % 2 ? [caller, owner] : [owner, caller];
  return { allowed: sum % 3 > 0, cost: sum, payer, recipient };
}`;

/** The rogue writes only the names of methods where code should stand. */
const withCode = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((item) => withCode(item));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, item]) => {
    const names = typeof item === "string" && key === "code" ? item.split(" ") : null;
    const code = names?.map((name) => (name === "run" ? RUN : CHECK)).join("\n");
    return [key, code ?? withCode(item)] as const;
  });
  return Object.fromEntries(fields);
};

/** What the rogue would do, and for a call of `run` a plan of what to ask. */
const planned = (dice: Dice, rogue: Rogue): Json => {
  const action = withCode(rogue.action());
  const call = isObject(action) ? action.invoke_artifact : undefined;
  if (!isObject(call) || call.method !== "run" || dice.chance(0.2)) return action;
  const plan = Array.from({ length: dice.upTo(4) }, () => ({
    ...rogue.ask(String(call.artifact_id)),
    bold: dice.chance(0.2),
  }));
  return { invoke_artifact: { ...call, args: [withCode(plan as unknown as Json)] } };
};

type Life = {
  readonly sandbox: Sandbox;
  readonly journal: Journal;
  readonly seed: number;
  readonly actions: number;
};

/** A run of rogues and their programs, with a snapshot every now and then. */
export const liveAsRogues = async ({ sandbox, journal, seed, actions }: Life) => {
  const dice = new Dice(seed);
  const physics = ROGUE_PHYSICS;
  const v = new Village(sandbox, { physics, journal, agentProblem: () => null });
  for (const id of AGENTS) v.agent(id, { scrip: 80, disk: 12_000 });
  let succeeded = 0;
  for (let n = 0; n < actions; n++) {
    v.atMs += dice.upTo(90);
    if (v.acts(dice.one(AGENTS), planned(dice, new Rogue(dice, v.state))).success) succeeded += 1;
    if (n % 120 === 60) await takeSnapshotBeside(journal, v.state);
  }
  journal.flush();
  return { hash: stateHash(v.state), succeeded, state: v.state };
};
