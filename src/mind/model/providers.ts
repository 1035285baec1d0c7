import { addressProblem, secretPlaceIn } from "../address.ts";
import type { LlmSettings, ProviderSettings } from "./llm-settings.ts";
import { type ProviderName, parseModelId } from "./model-id.ts";

/** Environment variables, as they are handed in by whoever may read them. */
export type Environment = { readonly [name: string]: string | undefined };

export type Providers = LlmSettings["providers"];

/** Providers that answer without a key, such as a model server on one's own machine. */
const isKeyOptional = (provider: ProviderName): boolean => provider === "openai-compatible";

/** The keys of a provider, in the order in which they are tried. */
export const keysOf = (settings: ProviderSettings, env: Environment): readonly string[] => {
  const keys = (env[settings.api_key_env] ?? "").split(",").map((key) => key.trim());
  return [...new Set(keys.filter((key) => key !== ""))];
};

/** Keys with which the provider can be asked; null stands for none, where none is needed. */
export const credentialsOf = (
  provider: ProviderName,
  settings: ProviderSettings,
  env: Environment,
): readonly (string | null)[] => {
  const keys = keysOf(settings, env);
  return keys.length === 0 && isKeyOptional(provider) ? [null] : keys;
};

/**
 * What would make every call to these models fail, one line each, in the order of the models. It
 * names variables and settings, never the value of a key.
 */
export const providerProblems = (
  models: readonly string[],
  providers: Providers,
  env: Environment,
): readonly string[] => {
  const ids = models.map(parseModelId);
  const unread = ids.flatMap((id) => (id.ok ? [] : [id.problem]));
  const used = new Set(ids.flatMap((id) => (id.ok ? [id.provider] : [])));
  const found = [...used].flatMap((provider) => {
    const first = ids.find((id) => id.ok && id.provider === provider);
    const model = first?.ok ? first.id : provider;
    return problemsOf({ provider, model, settings: providers[provider], env });
  });
  return [...new Set([...unread, ...found])];
};

type Used = {
  readonly provider: ProviderName;
  /** One of the models that want it. */
  readonly model: string;
  readonly settings: ProviderSettings;
  readonly env: Environment;
};

const problemsOf = ({ provider, model, settings, env }: Used): readonly string[] => {
  const keys = keysOf(settings, env);
  const where = `llm.providers.${provider}`;
  const problems: string[] = [];
  if (keys.length === 0 && !isKeyOptional(provider)) {
    problems.push(`no key for ${model}: set the environment variable ${settings.api_key_env}`);
  }
  if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key))) {
    const what = "holds characters that no header can carry";
    problems.push(`the key in ${settings.api_key_env} ${what}; copy it anew`);
  }
  if (settings.base_url === null) {
    if (provider === "openai-compatible") {
      problems.push(`no address for ${model}: set ${where}.base_url`);
    }
    return problems;
  }
  const wrong = addressProblem(settings.base_url);
  if (wrong !== null) {
    const isSecret = secretPlaceIn(settings.base_url) !== null;
    const cure = isSecret ? `; set the environment variable ${settings.api_key_env} instead` : "";
    problems.push(`${where}.base_url ${wrong}${cure}`);
  }
  return problems;
};
