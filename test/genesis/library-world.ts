import { afterAll } from "vitest";
import type { Json } from "../../src/kernel/index.ts";
import { LIBRARY_NAMES, type Outcome, type Sandbox, sandboxFor } from "../../src/world/index.ts";
import { PHYSICS, physicsWith } from "../support/physics.ts";
import { artifactOf } from "../support/scenario.ts";
import { type CallOptions, resultOf, TestWorld } from "../support/test-world.ts";

/** The small physics, with the standard library and room for what it keeps. */
export const LIBRARY_PHYSICS = physicsWith({
  genesis: { enabled: [...PHYSICS.genesis.enabled, ...LIBRARY_NAMES], disk_bytes: 200_000 },
  sandbox: { state_bytes_max: 65_536, syscalls_max: 256 },
  artifacts: { args_bytes_max: 20_000 },
  agents: { principals_max: 60 },
});

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const FREEWARE = "genesis_contract_freeware";
export const PRIVATE = "genesis_contract_private";

/** A world with the standard library and four agents with 100 scrip each. */
export const libraryWorld = (sandbox: Sandbox): TestWorld => {
  const world = new TestWorld(sandbox, { physics: LIBRARY_PHYSICS });
  for (const id of ["alice", "bob", "carol", "dave"]) world.agent(id, { disk: 30_000 });
  return world;
};

/** Makes such worlds for the tests of one file, over one sandbox that is closed after them. */
export const libraryWorlds = (): (() => TestWorld) => {
  const sandbox = sandboxFor(LIBRARY_PHYSICS);
  afterAll(() => sandbox.close());
  return () => libraryWorld(sandbox);
};

/** The code of a refusal, by the program, by a method that it called, or by the kernel. */
export const refusalCode = (outcome: Outcome): string => {
  if (outcome.success) return "nothing was refused";
  const result: unknown = JSON.parse(outcome.result ?? "null");
  const own = typeof result === "object" && result !== null && "code" in result;
  return String((own ? result.code : null) ?? outcome.error_code);
};

/** The answer of a method of the library, such as `escrow.check`. */
export const answerOf = (
  world: TestWorld,
  who: string,
  ...[target, args = [], more = {}]: [target: string, args?: readonly Json[], more?: CallOptions]
): Json => resultOf(world.calls(who, `genesis_${target}`, args, more));

/** All scrip of the world, free and held. */
export const totalScrip = (world: TestWorld): number =>
  [...world.state.accounts.rows()].reduce((sum, { scrip, held }) => sum + scrip + held, 0);

/** The free scrip of each of these principals. */
export const scripOf = (world: TestWorld, ...ids: readonly string[]): readonly unknown[] =>
  ids.map((id) => world.scrip(id));

export const ownerAndAccess = ({ state }: TestWorld, id: string): readonly string[] => {
  const { owner, access } = artifactOf(state, id);
  return [owner, access];
};

/** An artifact gets another owner, who accepts it. */
export const transfers = (
  world: TestWorld,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
): void => {
  world.must(world.calls(from, "genesis_ledger.transfer_ownership", [id, to]));
  world.must(world.calls(to, "genesis_ledger.accept", [id]));
};

/** An agent spawns a child, and gives it 20 scrip. */
export const spawnsChild = (world: TestWorld, parent: string, child: string): void => {
  const quotas = { disk_bytes: 5_000, actions: 100, cpu_gas: 100_000, bytes_written: 5_000 };
  const spawn = [child, {}, quotas];
  const attach = { scrip: 20 };
  world.must(world.calls(parent, "genesis_ledger.spawn_principal", spawn, { attach }));
};

/** A program that makes any call, creates and accepts artifacts, and pays out its scrip. */
export const DEPUTY = `
  function call(id, method, args, attach = {}) {
    const { success, result, error } = kernel.invoke(id, method, args, { attach });
    return success ? result : kernel.fail(error.data?.code ?? error.code, error.message);
  }
  function make(id) { kernel.write({ artifact_id: id, content: "x" }) }
  function keep() {}
  function payOut() { kernel.pay(caller, kernel.balance()) }`;
