import { type Attempt, faultOf, type Model, modelFailure } from "../port/model.ts";
import type { Time } from "../port/time.ts";
import type { Account, Environment, Provider } from "../providers/provider.ts";
import { type ProvidersSettings, parseModelId, settingsOf } from "../providers/providers.ts";
import { isUnlimited, limitedBy, rateLimited, type Taken } from "./rate-limit.ts";
import { SharedLimits, sharedAddress, type Unreachable } from "./shared-limits.ts";

type Parts = {
  readonly settings: {
    readonly providers: ProvidersSettings;
    readonly limits: { readonly shared: string | null };
    readonly timeout_s: number;
  };
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

  /** The limits of the account with the index `nth` among those of the provider. */
  around(inner: Model, provider: Provider, nth: number, { sharedAs }: Account): Model {
    const { settings, attempts, time } = this.#parts;
    const own = settingsOf(provider, settings.providers);
    const limits = {
      requestsPerMinute: own.requests_per_minute,
      tokensPerMinute: own.tokens_per_minute,
      concurrency: own.max_concurrency,
    };
    if (isUnlimited(limits)) return inner;
    const { name } = provider;
    if (settings.limits.shared === null || sharedAs === null) {
      return rateLimited(inner, { ...limits, taken: takenOf(attempts, name, nth, time) }, time);
    }
    const shared = this.#sharedAt(settings.limits.shared);
    if (!shared.ok) return refusing(shared.problem);
    return limitedBy(shared.all.limiterOf({ provider: name, secret: sharedAs }, limits), inner);
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
  provider: string,
  nth: number,
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
