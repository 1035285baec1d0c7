import type { Json } from "../../src/kernel/index.ts";

import type { Outcome, Sandbox } from "../../src/world/index.ts";
import { LIBRARY_NAMES } from "../../src/world/index.ts";
import { PHYSICS, physicsWith } from "../support/physics.ts";
import { type CallOptions, resultOf, Village } from "../support/world.ts";

/** The small physics, with the standard library and with room for what it keeps. */
export const LIBRARY_PHYSICS = physicsWith({
  genesis: { enabled: [...PHYSICS.genesis.enabled, ...LIBRARY_NAMES], disk_bytes: 200_000 },
  sandbox: { state_bytes_max: 65_536, syscalls_max: 256 },
  artifacts: { args_bytes_max: 20_000 },
  agents: { principals_max: 60 },
});

export const DAY_MS = 86_400_000;

/** A world with the standard library and four agents of 100 scrip each. */
export const libraryVillage = (sandbox: Sandbox): Village => {
  const village = new Village(sandbox, { physics: LIBRARY_PHYSICS });
  for (const id of ["alice", "bob", "carol", "dave"]) village.agent(id, { disk: 30_000 });
  return village;
};

/** The code with which a program, or what it asked of the kernel, or the kernel itself said no. */
export const reasonOf = (outcome: Outcome): string => {
  if (outcome.success) return "nothing was refused";
  const said: unknown = JSON.parse(outcome.result ?? "null");
  const own = typeof said === "object" && said !== null && "code" in said ? said.code : null;
  return String(own ?? outcome.error_code);
};

/** Calls a method of one contract of the library, for its answer. */
export const answerOf = (
  village: Village,
  who: string,
  ...[target, args = [], more = {}]: [target: string, args?: readonly Json[], more?: CallOptions]
): Json => resultOf(village.calls(who, `genesis_${target}`, args, more));

/** All scrip of the world. */
export const allScrip = (village: Village): number =>
  [...village.state.accounts.rows()].reduce((sum, { scrip, held }) => sum + scrip + held, 0);

/** What everyone has, in short. */
export const purses = (village: Village, ...ids: readonly string[]): readonly unknown[] =>
  ids.map((id) => village.scrip(id));

/** The contract of an artifact. */
export const accessOf = (village: Village, id: string): string | undefined =>
  [...village.state.artifacts.rows()].find((row) => row.id === id)?.access;

/** A child of an agent: another principal of its family, with a fifth of its scrip. */
export const family = (village: Village, parent: string, child: string): void => {
  const quotas = { disk_bytes: 5_000, actions: 100, cpu_gas: 100_000, bytes_written: 5_000 };
  const spawn = [child, {}, quotas];
  const attach = { scrip: 20 };
  village.must(village.calls(parent, "genesis_ledger.spawn_principal", spawn, { attach }));
};
