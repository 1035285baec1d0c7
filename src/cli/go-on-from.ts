import type { Recording } from "../mind/index.ts";
import { Launch, lateSettings, loadConfig, newRunId, showProblem } from "../runner/index.ts";
import type { Checkpoint } from "../world/index.ts";
import type { FlagValue } from "./open-config.ts";
import { type RunFlags, valuesOf } from "./run-flags.ts";
import { launchOf, orderOf, personasIn } from "./run-order.ts";
import type { Shell } from "./shell.ts";
import { UsageProblem } from "./usage-problem.ts";

export type GoingOn = { readonly flags: RunFlags; readonly replay: Recording | null };

/** That of the source, whatever a file says of new runs, unless it is said here. */
const clockOf = ({ run: { clock } }: Checkpoint, { set }: RunFlags): readonly FlagValue[] =>
  set.some((each) => each.startsWith("run.clock="))
    ? []
    : [{ key: "run.clock", value: clock, origin: "the source" }];

/**
 * A new run that goes on from a state under the configuration that it had, but for what the flags
 * say. Personas are those of `--agents` only: each takes the place of the agent of its name, or
 * comes into the world; everybody else goes on as before.
 */
export const goOnFrom = (from: Checkpoint, { flags, replay }: GoingOn, shell: Shell): Launch => {
  if (flags.estimate === true) {
    throw new UsageProblem("--estimate is for a new run; nothing is known of one that goes on");
  }
  if (flags.only !== undefined && flags.agents === undefined) {
    throw new UsageProblem("--only is for the personas of --agents; all others go on as before");
  }
  const kept = { origin: `the configuration of ${from.run.id}`, text: from.config };
  const file = flags.config ?? null;
  const { duration, ...others } = flags;
  const asked = valuesOf(others).filter(({ value }) => value !== undefined);
  const given = file === null ? asked : [...clockOf(from, flags), ...asked];
  const loaded = loadConfig({ kept, file, sets: flags.set, flags: given });
  if (!loaded.ok) throw new UsageProblem(loaded.problems.map(showProblem));
  const { config } = loaded;
  const only = flags.only === undefined ? [] : config.agents.only;
  const personas = flags.agents === undefined ? [] : personasIn({ ...loaded, file }, only, shell);
  const order = orderOf(config, flags, shell);
  const launched = Launch.prepare({
    ...order,
    furtherS: duration ?? null,
    personas,
    out: flags.out,
    runId: flags.name ?? newRunId(order.startedAt, Math.random),
    from,
    replay,
  });
  const launch = launchOf(launched);
  // Flags stand on both sides, so that what differs comes of --set and of the file.
  const before = loadConfig({ kept, file: null, sets: [], flags: given });
  const brings = flags.agents !== undefined;
  const late = before.ok ? lateSettings(before.config, config, { brings }) : [];
  for (const text of late) shell.output.note(`warning: ${text}`);
  return launch;
};
