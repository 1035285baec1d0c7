/**
 * How much of a limit per minute calls can take, for processes that share it. A reservoir is filled
 * in small steps. Calls take from it when they start, and give back at their end what they did not
 * use. What is taken in any minute, at whatever time between start and end of a call the provider
 * counts it, is at most `burst` + `perMinute` + `inProgressMax`.
 */
export type Reservoir = {
  /** The most that the reservoir holds. One call takes at most this. */
  readonly burst: number;
  /** What flows in. */
  readonly perMinute: number;
  /** What the calls in progress hold at most. Null: any number. */
  readonly inProgressMax: number | null;
  readonly step: number;
  readonly stepMs: number;
};

const MINUTE_MS = 60_000;
const STEP_MS_MIN = 240;

/** The rest of the limit is for requests that arrive late, up to 3 s after they were admitted. */
const REQUEST_BURST = 0.05;
const REQUEST_FLOW = 0.9;
const TOKEN_BURST = 0.1;
const TOKEN_FLOW = 0.75;
const TOKENS_IN_PROGRESS = 0.25;

/**
 * The part of `tokens_per_minute` by which processes can exceed it in a minute at worst: if calls
 * start after a pause, use all that they reserved, and others that took long end at the same time.
 */
export const TOKEN_SLACK = TOKEN_BURST + TOKEN_FLOW + TOKENS_IN_PROGRESS - 1;

/**
 * Providers count a request when it arrives, so the requests in progress do not count again. A
 * limit of one has no room for both a burst and a flow, so two requests can start in a minute.
 */
export const requestReservoir = (limit: number): Reservoir => ({
  inProgressMax: null,
  ...reservoirOf(
    Math.floor(limit * REQUEST_BURST),
    Math.max(1, Math.min(limit - 1, Math.floor(limit * REQUEST_FLOW))),
  ),
});

export const tokenReservoir = (limit: number): Reservoir => ({
  inProgressMax: Math.max(1, Math.floor(limit * TOKENS_IN_PROGRESS)),
  ...reservoirOf(Math.floor(limit * TOKEN_BURST), Math.max(1, Math.floor(limit * TOKEN_FLOW))),
});

/** The flow has steps of whole units, so it can exceed `perMinute` by less than a step. */
const reservoirOf = (burst: number, perMinute: number): Omit<Reservoir, "inProgressMax"> => {
  const step = Math.max(1, Math.floor((perMinute * STEP_MS_MIN) / MINUTE_MS));
  const stepMs = Math.ceil((step * MINUTE_MS) / perMinute);
  return { burst: Math.max(1, burst - (step - 1)), perMinute, step, stepMs };
};
