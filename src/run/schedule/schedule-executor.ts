import { type ScheduledChange, worldRow } from "../../kernel/index.ts";
import type { Clock, Request, World } from "../../world/index.ts";
import type { Config } from "../config/index.ts";
import { physicsWith } from "./plan.ts";

/** The order of the schedule among all tasks due at one time: before the mint and the agents. */
const ORDER = -5;

/** Executes each entry of the world's schedule at its time, in the order of the schedule. */
export const executeSchedule = (
  config: Config,
  world: World,
  clock: Clock,
  signal: AbortSignal,
): void => {
  const commandFor = (change: ScheduledChange): Request => {
    const command = { kind: "execute_scheduled", at_ms: clock.now() } as const;
    if (change.kind === "set") {
      const before = worldRow(world.state).schedule.settings;
      const after = physicsWith(config, { ...before, ...change.settings });
      return after.ok
        ? { ...command, physics: after.physics }
        : { ...command, problem: after.problem };
    }
    const code = change.kind === "install" ? (change.fields.code ?? null) : null;
    return code === null ? command : { ...command, code_check: world.checkCode(code) };
  };
  if (worldRow(world.state).schedule.entries.length === 0) return;
  clock.spawn(async () => {
    for (;;) {
      const [next] = worldRow(world.state).schedule.entries;
      if (next === undefined) return;
      if ((await clock.until(next.at_ms, ORDER, signal)) === "cancelled") return;
      world.submit(commandFor(next.change));
    }
  }, ORDER);
};
