import { parseModelId } from "../../model/index.ts";
import { type ModelUser, modelsCalled } from "../agents/model-users.ts";
import type { Config } from "../config/index.ts";
import type { ClockKind, SettledConfig } from "../core/run-plan.ts";
import { kindOf } from "../minds/kinds.ts";

type Choosing = {
  readonly thinkers: readonly ModelUser[];
  /** True if a person watches or controls the run. */
  readonly isWatched: boolean;
  /** True if all replies of models come from a recording. */
  readonly isReplay: boolean;
};

/**
 * Chooses the clock for `run.clock: auto`: real time for people, for programs of this machine and
 * for models of a provider, simulated time otherwise. The reason is null if the configuration names
 * the clock.
 */
export const chooseClock = (
  config: Config,
  { thinkers, isWatched, isReplay }: Choosing,
): { readonly config: SettledConfig; readonly reason: string | null } => {
  const { clock } = config.run;
  const on = (kind: ClockKind): SettledConfig => ({
    ...config,
    run: { ...config.run, clock: kind },
  });
  if (clock !== "auto") return { config: on(clock), reason: null };
  if (isWatched) return { config: on("wall"), reason: "the dashboard is open" };
  if (thinkers.some(({ mind }) => kindOf(mind)?.needsRealTime)) {
    return { config: on("wall"), reason: "agents are programs of this machine" };
  }
  const model = isReplay ? undefined : modelsCalled(config, thinkers).find(isRemote);
  return model === undefined
    ? { config: on("virtual"), reason: "no agent calls a provider" }
    : { config: on("wall"), reason: `agents call ${model}` };
};

const isRemote = (model: string): boolean => {
  const parsed = parseModelId(model);
  return !parsed.ok || parsed.provider !== "mock";
};
