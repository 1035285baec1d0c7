import { join } from "node:path";
import { afterAll } from "vitest";
import { asId, type Json, type JsonObject } from "../../src/kernel/index.ts";
import { SHIPPED } from "../../src/run/config/index.ts";
import { fieldsFor } from "../../src/run/mechanisms/installed-program.ts";
import { readProgram } from "../../src/run/mechanisms/program-file.ts";
import { type Outcome, type Sandbox, sandboxFor } from "../../src/world/index.ts";
import { refusalCode } from "../genesis/library-world.ts";
import { physicsWith } from "../support/physics.ts";
import { type CallOptions, resultOf, TestWorld } from "../support/test-world.ts";
import type { StoryCall } from "./stories.ts";

export { refusalCode };

/** The small physics, with the limits of programs and windows of a usual world. */
export const MECHANISM_PHYSICS = physicsWith({
  genesis: { disk_bytes: 500_000 },
  sandbox: { state_bytes_max: 65_536, syscalls_max: 256 },
  artifacts: { type_chars_max: 64, args_bytes_max: 20_000, interface_bytes_max: 20_000 },
  agents: { principals_max: 400 },
});

/** The files of `mechanisms` that others include. */
export const PARTS: ReadonlySet<string> = new Set(["shared", "payments", "lots", "sealed-bids"]);

export const MINUTE_MS = 60_000;

/** Installs a shipped mechanism with these settings, owned by itself. */
export const install = (
  v: TestWorld,
  ...[id, name, settings = {}]: readonly [id: string, name: string, settings?: JsonObject]
): TestWorld => {
  const read = readProgram(join(SHIPPED.mechanisms, `${name}.js`));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { program } = read;
  const made = fieldsFor(program, settings);
  if (!made.ok) throw new Error(JSON.stringify(made.misfits));
  const { code } = made.fields;
  const check = v.world.checkCode(code);
  if ("refusal" in check) throw new Error(check.refusal.message);
  v.must(
    v.submit({
      kind: "install_artifact",
      at_ms: v.atMs,
      id: asId(id),
      owner: asId(id),
      fields: {
        type: "mechanism",
        code,
        ...check,
        interface: program.interface,
        has_standing: true,
      },
    }),
  );
  return v;
};

/** No test waits for a window. */
const QUOTAS = { actions: 1_000_000, cpu_gas: 1_000_000_000, bytes_written: 10_000_000 };

type Cast = { readonly [id: string]: number };

/** Makes worlds with agents and their scrip, for the tests of one file. */
export const mechanismWorlds = ({ isAudited = true } = {}): ((cast: Cast) => TestWorld) => {
  const sandbox: Sandbox = sandboxFor(MECHANISM_PHYSICS);
  afterAll(() => sandbox.close());
  return (cast) => {
    const v = new TestWorld(sandbox, { physics: MECHANISM_PHYSICS, isAudited });
    for (const [id, scrip] of Object.entries(cast))
      v.agent(id, { scrip, disk: 60_000, quotas: QUOTAS });
    return v;
  };
};

/** The answer of a call that must succeed. */
export const ask = (
  v: TestWorld,
  who: string,
  ...[target, args = [], more = {}]: [target: string, args?: readonly Json[], more?: CallOptions]
): Json => resultOf(v.calls(who, target, args, more));

/** Calls a method with scrip attached. */
export const pays = (
  v: TestWorld,
  who: string,
  ...[target, scrip, args = []]: [target: string, scrip: number, args?: readonly Json[]]
): Outcome => v.calls(who, target, args, { attach: { scrip } });

/** Makes one call of a story. */
export const perform = (
  v: TestWorld,
  { by, to, args = [], scrip, artifacts, atMs }: StoryCall,
): Json => {
  v.atMs = atMs ?? v.atMs;
  const attach = {
    ...(scrip === undefined ? {} : { scrip }),
    ...(artifacts === undefined ? {} : { artifacts }),
  };
  return ask(v, by, to.includes(".") ? to : `it.${to}`, args, { attach });
};

/** An agent writes a program with the code of another, but without its interface. */
export const copyOf = (
  v: TestWorld,
  who: string,
  { from, to }: { readonly from: string; readonly to: string },
): void => {
  const code = v.state.artifacts.get(asId(from))?.code ?? "";
  v.standing(who, to, { code });
};

/** All scrip of the world, free and held. */
export const totalScrip = (v: TestWorld): number =>
  [...v.state.accounts.rows()].reduce((sum, { scrip, held }) => sum + scrip + held, 0);

/** The units of a token, by holder, of up to 20 holders. */
export const unitsOf = (v: TestWorld, token: string): { readonly [id: string]: number } => {
  const { largest } = ask(v, "alice", `${token}.status`) as { largest: [string, number][] };
  return Object.fromEntries(largest);
};
