import { z } from "zod";
import type { Model } from "../port/model.ts";
import type { Time } from "../port/time.ts";
import type { Fetch } from "../sdk/guarded-fetch.ts";
import type { Tracing } from "../sdk/tracing.ts";

export type Environment = { readonly [name: string]: string | undefined };

const perMinute = z.int().min(1).max(1_000_000_000).nullable();

/** What each key of a provider may use. Null: no limit. */
export const limitSettings = {
  requests_per_minute: perMinute,
  tokens_per_minute: perMinute,
  /** The maximum number of calls at once with each key. */
  max_concurrency: z.int().min(1).max(10_000).nullable(),
};
export type LimitSettings = {
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  readonly max_concurrency: number | null;
};

/** One key of a provider. Limits apply to each account. */
export type Account = {
  /** Null: the calls of this account need no key. */
  readonly key: string | null;
  /** What names the account to other processes that share its limits. Null: none share them. */
  readonly sharedAs: string | null;
};

/** What the providers of a run have in common. */
export type Connections = {
  /** The seed of the run. Only the replies of the mock provider depend on it. */
  readonly seed: number;
  readonly time: Time;
  readonly fetch?: Fetch | undefined;
  /** Takes notes for the people who run the simulation. They do not belong in the journal. */
  readonly note: (text: string) => void;
  /** Opens the telemetry of the run. Null if the run has none. */
  readonly openTracing: (() => Promise<Tracing>) | null;
  /** The keys of all providers. A reply must not contain any of these keys. */
  readonly keys: readonly string[];
};

/** Why calls would fail. The text is one line. */
export type ProviderProblem = {
  readonly text: string;
  /** The environment variable whose key is missing or malformed. Null: the cause is no key. */
  readonly keyVariable: string | null;
};

/**
 * A provider of language models. `Settings` is its part of `llm.providers` in the configuration.
 * Providers of models on the network are made by `networkProvider`.
 */
export type Provider<Settings extends LimitSettings = LimitSettings> = {
  /** The first part of `provider/model`, and its key in `llm.providers`. */
  readonly name: string;
  /** Other names for it in `provider/model`. */
  readonly aliases: readonly string[];
  readonly settings: z.ZodType<Settings>;
  /**
   * Where the prices of its models are in `llm.pricing`: each model has its own price, all models
   * have the price of the provider's name, or the user has to know, because the server may be the
   * user's own.
   */
  readonly price: "by model" | "by provider" | "by user";
  /** Whether it has models that turn texts into vectors. */
  readonly embeds: boolean;
  /** The environment variable that must hold its keys, or null if calls need no key. */
  requiredVariable(settings: Settings): string | null;
  /** The environment variable that may hold its keys, or null if it has none. */
  keyVariable(settings: Settings): string | null;
  /** One account for each key. Empty if no call can be made, because a key is missing. */
  accounts(settings: Settings, env: Environment): readonly Account[];
  /** Why each call of this model would fail. */
  problems(model: string, settings: Settings, env: Environment): readonly ProviderProblem[];
  /** One model for each account. Each call makes one attempt, without limits. */
  create(
    settings: Settings,
    accounts: readonly Account[],
    connections: Connections,
  ): readonly Model[];
};

/** Loads a model on first use, because its packages take time to load and few commands need it. */
export const lazyModel = (load: () => Promise<Model>): Model => {
  let loading: Promise<Model> | null = null;
  return {
    ask: async (request, signal) => {
      loading ??= load();
      return (await loading).ask(request, signal);
    },
  };
};
