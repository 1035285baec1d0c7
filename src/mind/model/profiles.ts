import type { Profile, ProfilesOf } from "./failover.ts";
import { FormLevels } from "./form-levels.ts";
import type { LlmSettings } from "./llm-settings.ts";
import type { Model } from "./model.ts";
import { type ModelId, type ProviderName, parseModelId } from "./model-id.ts";
import { credentialsOf, type Environment, providerProblems } from "./providers.ts";

/** A provider and one of its keys: whatever is limited, is limited for each of these. */
export type ProviderKey = {
  readonly provider: ProviderName;
  readonly key: string | null;
  /** Which of the provider's keys that is, from 0. */
  readonly nth: number;
  readonly forms: FormLevels;
};

export type ProfileParts = {
  readonly settings: LlmSettings;
  readonly env: Environment;
  /** Makes the model of one provider and key, with the limits that belong to them. */
  readonly open: (asked: ProviderKey) => Model;
};

/**
 * The ways to ask each model: with every key of its provider, and then the models that the
 * configuration lets stand in for it, likewise. A provider is opened when it is first asked for.
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
    const names = [model, ...standInsFor(model, settings)];
    const ids = names.map(parseModelId).filter((id): id is ModelId => id.ok);
    const usable = ids.filter(
      ({ id }) => providerProblems([id], settings.providers, env).length === 0,
    );
    const profiles = usable.flatMap(({ id, provider }) =>
      modelsOf(provider).map((asks, key): Profile => ({ model: id, key, asks })),
    );
    if (profiles.length > 0) return { profiles };
    const [problem = `${model} cannot be asked`] = providerProblems(
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

/** The models that stand in for one; its name may be written with an alias on either side. */
export const standInsFor = (model: string, settings: LlmSettings): readonly string[] => {
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
