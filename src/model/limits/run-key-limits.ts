import type { LlmSettings } from "../llm-settings.ts";
import { type Attempt, faultOf, type Model, modelFailure } from "../model.ts";
import { type Environment, keysOf, type ProviderName, parseModelId } from "../providers.ts";
import type { Time } from "../time.ts";
import { isUnlimited, limitedBy, rateLimited, type Taken } from "./rate-limit.ts";
import { SharedLimits, sharedAddress, type Unreachable } from "./shared-limits.ts";

/** One key of a provider. Rate limits apply to each key. */
export type ProviderKey = { readonly provider: ProviderName; readonly nth: number };

type Parts = {
  readonly settings: LlmSettings;
  readonly env: Environment;
  /** The calls of earlier processes of the run. */
  readonly attempts: readonly Attempt[];
  readonly time: Time;
  readonly note?: (text: string) => void;
};

/** How long a call may wait after it was admitted, besides the time limit of its attempt. */
const CALL_SPARE_MS = 60_000;

/** The limits of all keys of a run: its own ones, or those that it shares with other processes. */
export class RunKeyLimits {
  readonly #parts: Parts;
  #shared: SharedLimits | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  around(inner: Model, key: ProviderKey): Model {
    const { settings, env, attempts, time } = this.#parts;
    const own = settings.providers[key.provider];
    const limits = {
      requestsPerMinute: own.requests_per_minute,
      tokensPerMinute: own.tokens_per_minute,
      concurrency: own.max_concurrency,
    };
    if (isUnlimited(limits)) return inner;
    // The mock provider has no keys, and each run has its own.
    if (settings.limits.shared === null || !("base_url" in own)) {
      return rateLimited(inner, { ...limits, taken: takenOf(attempts, key, time) }, time);
    }
    const secret = keysOf(own, env)[key.nth] ?? own.base_url ?? "";
    const shared = this.#sharedAt(settings.limits.shared);
    if (!shared.ok) return refusing(shared.problem);
    return limitedBy(shared.all.limiterOf({ provider: key.provider, secret }, limits), inner);
  }

  /** Connects to the server of shared limits, if there is one. Returns why it cannot, or null. */
  async open(): Promise<Unreachable | null> {
    const { shared } = this.#parts.settings.limits;
    if (shared === null) return null;
    const found = this.#sharedAt(shared);
    return found.ok ? found.all.open() : { problem: found.problem, isUsersMistake: true };
  }

  async close(): Promise<void> {
    await this.#shared?.close();
  }

  #sharedAt(place: string): Shared {
    const { settings, env, note = () => {} } = this.#parts;
    const found = sharedAddress(place, env);
    if (!found.ok) return found;
    const callMsMax = settings.timeout_s * 1_000 + CALL_SPARE_MS;
    this.#shared ??= new SharedLimits({ address: found.address, callMsMax, note });
    return { ok: true, all: this.#shared };
  }
}

type Shared =
  | { readonly ok: true; readonly all: SharedLimits }
  | { readonly ok: false; readonly problem: string };

const refusing = (problem: string): Model => ({
  ask: async ({ model }) => modelFailure(model, faultOf("bad_request", problem)),
});

/** Returns the recent usage of one key. A call with an end in the future counts as ended now. */
const takenOf = (
  attempts: readonly Attempt[],
  { provider, nth }: ProviderKey,
  time: Time,
): readonly Taken[] => {
  const [nowMs, wallMs] = [time.now(), time.wallMs()];
  const own = attempts.filter(({ model, key }) => {
    const parsed = parseModelId(model);
    return key === nth && parsed.ok && parsed.provider === provider;
  });
  return own.map(({ tokens, endedMs }) => {
    return { tokens, endedMs: nowMs - Math.max(0, wallMs - endedMs) };
  });
};
