import { z } from "zod";
import { must } from "../../kernel/index.ts";
import { anthropic } from "./anthropic.ts";
import { google } from "./google.ts";
import { mock } from "./mock.ts";
import { openai } from "./openai.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import type { Environment, LimitSettings, Provider, ProviderProblem } from "./provider.ts";

/** All providers of language models. A provider is added here and nowhere else. */
export const PROVIDERS: readonly Provider[] = [google, anthropic, openai, openaiCompatible, mock];

/** `llm.providers` in the configuration. */
export const providersSettings = z.strictObject(
  Object.fromEntries(PROVIDERS.map(({ name, settings }) => [name, settings])),
);
export type ProvidersSettings = { readonly [name: string]: LimitSettings };

export type ModelId = {
  readonly ok: true;
  /** The name of a provider. */
  readonly provider: string;
  /** The provider's own name for the model, which may contain slashes. */
  readonly model: string;
  /** `provider/model` with the real name of the provider, or `mock`. Unique per model. */
  readonly id: string;
};

type BadModelId = { readonly ok: false; readonly problem: string };

/** Reads `provider/model`. The name `mock` alone is a model of the mock provider. */
export const parseModelId = (text: string): ModelId | BadModelId => {
  if (text === mock.name) return { ok: true, provider: text, model: text, id: text };
  const slash = text.indexOf("/");
  const named = slash < 0 ? "" : text.slice(0, slash);
  const model = text.slice(slash + 1);
  const provider = PROVIDERS.find(({ name, aliases }) => [name, ...aliases].includes(named));
  const refused = (what: string): BadModelId => {
    const names = PROVIDERS.map(({ name, aliases }) => [name, ...aliases].join(" (or "));
    const known = names.map((name) => (name.includes("(") ? `${name})` : name));
    const list = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
    return { ok: false, problem: `model "${text}" ${what}; write provider/model with ${list}` };
  };
  if (slash < 0) return refused("names no provider");
  if (provider === undefined) return refused(`names the unknown provider "${named}"`);
  if (model.trim() === "") return refused("names no model");
  return { ok: true, provider: provider.name, model, id: `${provider.name}/${model}` };
};

export const providerOf = ({ provider }: ModelId): Provider =>
  must(
    PROVIDERS.find(({ name }) => name === provider),
    "a parsed id must name a provider",
  );

export const settingsOf = ({ name }: Provider, settings: ProvidersSettings): LimitSettings =>
  must(settings[name], "each provider must have settings");

/** Returns the problems that make every call of these models fail. No two have one text. */
export const providerProblems = (
  models: readonly string[],
  settings: ProvidersSettings,
  env: Environment,
): readonly ProviderProblem[] => {
  const ids = models.map(parseModelId);
  const malformed = ids.flatMap((id) => (id.ok ? [] : [{ text: id.problem, keyVariable: null }]));
  const byProvider = Map.groupBy(
    ids.filter((id) => id.ok),
    ({ provider }) => provider,
  );
  const found = [...byProvider.values()].flatMap(([first]) => {
    if (first === undefined) return [];
    const provider = providerOf(first);
    return provider.problems(first.id, settingsOf(provider, settings), env);
  });
  const byText = new Map([...malformed, ...found].map((each) => [each.text, each]));
  return [...byText.values()];
};

/** The environment variable that must hold a key for this model and does not, or null. */
export const missingKey = (
  model: string,
  settings: ProvidersSettings,
  env: Environment,
): string | null => {
  const id = parseModelId(model);
  if (!id.ok) return null;
  const provider = providerOf(id);
  const own = settingsOf(provider, settings);
  return provider.accounts(own, env).length === 0 ? provider.requiredVariable(own) : null;
};

/** The providers that may have keys, and the environment variables for these keys. */
export const keyVariables = (
  settings: ProvidersSettings,
): readonly { readonly provider: string; readonly variable: string }[] =>
  PROVIDERS.flatMap((provider) => {
    const variable = provider.keyVariable(settingsOf(provider, settings));
    return variable === null ? [] : [{ provider: provider.name, variable }];
  });

/** Whether the provider of a model has models that turn texts into vectors. */
export const canEmbed = (model: string): boolean => {
  const id = parseModelId(model);
  return !id.ok || providerOf(id).embeds;
};

/** Whether a model may cost nothing, because its server may be the user's own. */
export const mayBeFree = (model: string): boolean => {
  const id = parseModelId(model);
  return id.ok && providerOf(id).price === "by user";
};
