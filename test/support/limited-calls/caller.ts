import { SharedLimits } from "../../../src/model/limits/shared-limits.ts";
import type { CallerTask, LimitedCall } from "./limited-callers.ts";

/**
 * A process that makes calls with one key until it is killed. It writes each call when it starts,
 * with the end that it will have, because a provider finishes the calls of a killed process.
 */
const task: CallerTask = JSON.parse(process.argv[2] ?? "");

/** A generator of Lehmer, so that a seed gives the same calls. */
let state = task.seed + 1;
const random = (): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};

const shared = new SharedLimits({
  address: { url: task.url, shown: "redis" },
  callMsMax: task.callMsMax,
  note: (text) => process.stderr.write(`${text}\n`),
});
const limiter = shared.limiterOf({ provider: "google", secret: task.secret }, task.limits);
const NEVER = new AbortController().signal;

const call = async (): Promise<void> => {
  const reserved = 200 + Math.floor(random() * 1_800);
  // Every third call uses all that it reserved.
  const used = random() < 0.33 ? reserved : Math.ceil(reserved * random());
  const admission = await limiter.enter(reserved, NEVER);
  if (admission === "left") return;
  const startMs = Date.now();
  const endMs = startMs + 200 + Math.floor(random() ** 3 * task.callMsTypical);
  const started: LimitedCall = { startMs, endMs, used };
  process.stdout.write(`${JSON.stringify(started)}\n`);
  await new Promise<void>((resolve) => setTimeout(resolve, endMs - startMs));
  admission.leave(used);
};

const agent = async (): Promise<void> => {
  for (;;) {
    await call();
    // Sometimes the agents are quiet, so that the reservoirs fill.
    const quietMs = random() < 0.02 ? 15_000 : 100 * random();
    await new Promise<void>((resolve) => setTimeout(resolve, quietMs));
  }
};

for (let n = 0; n < task.agents; n += 1) void agent();
