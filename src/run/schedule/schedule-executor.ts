import { type JsonObject, type ScheduledChange, worldRow } from "../../kernel/index.ts";
import type { Clock, Request, World } from "../../world/index.ts";
import type { Config } from "../config/index.ts";
import { physicsWith } from "./plan.ts";

/** The order of the schedule among all tasks due at one time: before the mint and the agents. */
const ORDER = -5;

type ScheduleExecutorParts = {
  readonly config: Config;
  readonly world: World;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** Executes each entry of the world's schedule at its time, in the order of the schedule. */
export class ScheduleExecutor {
  readonly #parts: ScheduleExecutorParts;

  constructor(parts: ScheduleExecutorParts) {
    this.#parts = parts;
  }

  start(): void {
    const { world, clock } = this.#parts;
    if (worldRow(world.state).schedule.entries.length > 0) {
      clock.spawn(() => this.#execute(), ORDER);
    }
  }

  async #execute(): Promise<void> {
    const { world, clock, signal } = this.#parts;
    for (;;) {
      const [next] = worldRow(world.state).schedule.entries;
      if (next === undefined) return;
      if ((await clock.until(next.at_ms, ORDER, signal)) === "cancelled") return;
      world.submit(this.#command(next.change));
    }
  }

  #command(change: ScheduledChange): Request {
    const { world, clock } = this.#parts;
    const command = { kind: "execute_scheduled", at_ms: clock.now() } as const;
    if (change.kind === "set") return { ...command, ...this.#physicsAfter(change.settings) };
    const code = change.kind === "install" ? (change.fields.code ?? null) : null;
    return code === null ? command : { ...command, code_check: world.checkCode(code) };
  }

  #physicsAfter(settings: JsonObject) {
    const { config, world } = this.#parts;
    const before = worldRow(world.state).schedule.settings;
    const after = physicsWith(config, { ...before, ...settings });
    return after.ok ? { physics: after.physics } : { problem: after.problem };
  }
}
