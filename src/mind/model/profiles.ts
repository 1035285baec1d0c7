import type { Profile, ProfilesOf } from "./failover.ts";
import type { LlmSettings } from "./llm-settings.ts";
import type { Model } from "./model.ts";
import {
  credentialsOf,
  type Environment,
  FormLevels,
  type ModelId,
  type ProviderName,
  parseModelId,
  providerProblems,
} from "./providers.ts";

/** A provider and one of its keys. Limits apply to each of these. */
export type ProviderKey = {
  readonly provider: ProviderName;
  readonly key: string | null;
  /** The index of the key. */
  readonly nth: number;
  readonly forms: FormLevels;
};

export type ProfileParts = {
  readonly settings: LlmSettings;
  readonly env: Environment;
  /** Creates the model of one provider and key, with its limits. */
  readonly open: (asked: ProviderKey) => Model;
};

/**
 * The profiles of each model: one per key of its provider, then likewise those of its fallback
 * models. A provider is opened on first use.
 */
export const profilesFrom = ({ settings, env, open }: ProfileParts): ProfilesOf => {
  const opened = new Map<ProviderName, readonly Model[]>();
  const known = new Map<string, ReturnType<ProfilesOf>>();

  const modelsOf = (provider: ProviderName): readonly Model[] => {
    const there = opened.get(provider);
    if (there !== undefined) return there;
    const own = settings.providers[provider];
    const forms = new FormLevels(provider, own.structured_outputs);
    const keys = credentialsOf(provider, own, env);
    const models = keys.map((key, nth) => open({ provider, key, nth, forms }));
    opened.set(provider, models);
    return models;
  };

  const made = (model: string): ReturnType<ProfilesOf> => {
    const names = [model, ...fallbacksFor(model, settings)];
    const ids = names.map(parseModelId).filter((id): id is ModelId => id.ok);
    const usable = ids.filter(
      ({ id }) => providerProblems([id], settings.providers, env).length === 0,
    );
    const profiles = usable.flatMap(({ id, provider }) =>
      modelsOf(provider).map((asks, key): Profile => ({ model: id, key, asks })),
    );
    if (profiles.length > 0) return { profiles };
    const [problem = `${model} cannot be called`] = providerProblems(
      [model],
      settings.providers,
      env,
    );
    return { problem };
  };

  return (model) => {
    const there = known.get(model);
    if (there !== undefined) return there;
    const found = made(model);
    known.set(model, found);
    return found;
  };
};

/** The fallback models of a model. Aliases are resolved on both sides. */
export const fallbacksFor = (model: string, settings: LlmSettings): readonly string[] => {
  const wanted = canonicalId(model);
  const entry = Object.entries(settings.failover.profiles).find(
    ([name]) => canonicalId(name) === wanted,
  );
  return entry?.[1] ?? [];
};

const canonicalId = (text: string): string => {
  const parsed = parseModelId(text);
  return parsed.ok ? parsed.id : text;
};
