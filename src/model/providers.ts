import {
  addressProblem,
  type LlmSettings,
  type MockSettings,
  type ProviderSettings,
  secretPlaceIn,
} from "./llm-settings.ts";

export type Environment = { readonly [name: string]: string | undefined };

/** Returns the API keys of a provider. The mock provider has no keys. */
export const keysOf = (
  settings: ProviderSettings | MockSettings,
  env: Environment,
): readonly string[] => {
  if (!("api_key_env" in settings)) return [];
  const keys = (env[settings.api_key_env] ?? "").split(",").map((key) => key.trim());
  return [...new Set(keys.filter((key) => key !== ""))];
};

/** Returns whether a provider, such as a local model server, may work without a key. */
export const isKeyOptional = (provider: RemoteProvider): boolean =>
  provider === "openai-compatible";

/** Returns the problems that make every call of these models fail. Each problem is one line. */
export const providerProblems = (
  models: readonly string[],
  providers: LlmSettings["providers"],
  env: Environment,
): readonly string[] => {
  const ids = models.map(parseModelId);
  const malformed = ids.flatMap((id) => (id.ok ? [] : [id.problem]));
  const byProvider = Map.groupBy(
    ids.filter((id) => id.ok),
    ({ provider }) => provider,
  );
  const found = [...byProvider.values()].flatMap(([first]) =>
    first === undefined ? [] : problemsOf(first, providers[first.provider], env),
  );
  return [...new Set([...malformed, ...found])];
};

/** The environment variable that must hold a key for this model and does not, or null. */
export const missingKey = (
  model: string,
  providers: LlmSettings["providers"],
  env: Environment,
): string | null => {
  const id = parseModelId(model);
  if (!id.ok || id.provider === "mock" || isKeyOptional(id.provider)) return null;
  const settings = providers[id.provider];
  return keysOf(settings, env).length === 0 ? settings.api_key_env : null;
};

const problemsOf = (
  { provider, id: model }: ModelId,
  settings: ProviderSettings | MockSettings,
  env: Environment,
): readonly string[] => {
  if (provider === "mock" || !("api_key_env" in settings)) return [];
  const { api_key_env: variable, base_url: address } = settings;
  const keys = keysOf(settings, env);
  const setting = `llm.providers.${provider}.base_url`;
  const problems: string[] = [];
  if (keys.length === 0 && !isKeyOptional(provider)) {
    problems.push(`no key for ${model}: set the environment variable ${variable}`);
  }
  if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key))) {
    const what = "has characters that are not allowed in a header";
    problems.push(`the key in ${variable} ${what}; copy it again`);
  }
  if (address === null) {
    if (provider === "openai-compatible") problems.push(`no address for ${model}: set ${setting}`);
    return problems;
  }
  const wrong = addressProblem(address);
  if (wrong !== null) {
    const isSecret = secretPlaceIn(address) !== null;
    const cure = isSecret ? `; set the environment variable ${variable} instead` : "";
    problems.push(`${setting} ${wrong}${cure}`);
  }
  return problems;
};

const PROVIDER_NAMES = ["google", "anthropic", "openai", "openai-compatible", "mock"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];
/** A provider that is called over the network. The mock provider is part of the program. */
export type RemoteProvider = Exclude<ProviderName, "mock">;

const ALIASES: ReadonlyMap<string, ProviderName> = new Map([
  ["gemini", "google"],
  ["ollama", "openai-compatible"],
]);

export type ModelId = {
  readonly ok: true;
  readonly provider: ProviderName;
  /** The provider's own name for the model, which may contain slashes. */
  readonly model: string;
  /** `provider/model` with the real name of the provider, or `mock`. Unique per model. */
  readonly id: string;
};

type BadModelId = { readonly ok: false; readonly problem: string };

const KNOWN = "google (or gemini), anthropic, openai, openai-compatible (or ollama) or mock";
const MOCK = "mock";

/** Reads `provider/model`. The name `mock` alone is a model of the mock provider. */
export const parseModelId = (text: string): ModelId | BadModelId => {
  if (text === MOCK) return { ok: true, provider: MOCK, model: MOCK, id: MOCK };
  const slash = text.indexOf("/");
  const named = slash < 0 ? "" : text.slice(0, slash);
  const model = text.slice(slash + 1);
  const provider = ALIASES.get(named) ?? PROVIDER_NAMES.find((name) => name === named);
  const cure = `write provider/model with ${KNOWN}`;
  const refused = (what: string): BadModelId => {
    return { ok: false, problem: `model "${text}" ${what}; ${cure}` };
  };
  if (slash < 0) return refused("names no provider");
  if (provider === undefined) return refused(`names the unknown provider "${named}"`);
  if (model.trim() === "") return refused("names no model");
  return { ok: true, provider, model, id: `${provider}/${model}` };
};

/**
 * How to request a reply form. `rich` sends a schema with unions, `flat` sends a schema without
 * unions, and `json` requests any JSON. For `json` and `text` the system text describes the form.
 */
export type FormLevel = "rich" | "flat" | "json" | "text";

const SCHEMA_LADDERS: { readonly [P in RemoteProvider]: readonly FormLevel[] } = {
  google: ["rich", "flat", "text"],
  anthropic: ["rich", "flat", "text"],
  // OpenAI's strict mode supports neither unions nor records.
  openai: ["flat", "text"],
  "openai-compatible": ["flat", "json", "text"],
};

const ladderOf = (provider: RemoteProvider, structuredOutputs: boolean): readonly FormLevel[] => {
  if (structuredOutputs) return SCHEMA_LADDERS[provider];
  return provider === "openai-compatible" ? ["json", "text"] : ["text"];
};

export class FormLevels {
  readonly #ladder: readonly FormLevel[];
  readonly #steps = new Map<string, number>();

  constructor(provider: RemoteProvider, structuredOutputs: boolean) {
    this.#ladder = ladderOf(provider, structuredOutputs);
  }

  levelOf(model: string): FormLevel {
    return this.#ladder[this.#steps.get(model) ?? 0] ?? "text";
  }

  /** Records that the model refused `level`. Returns the next level, or null if there is none. */
  refused(model: string, level: FormLevel): FormLevel | null {
    const next = this.#ladder.indexOf(level) + 1;
    if (next >= this.#ladder.length) return null;
    // Concurrent calls may report the refusal of an earlier level. The level must not go back.
    this.#steps.set(model, Math.max(next, this.#steps.get(model) ?? 0));
    return this.levelOf(model);
  }
}

const ABOUT_THE_FORM = new RegExp(
  [
    "schema",
    "response_?(format|mime)",
    "structured.?output",
    "json_object",
    "json mode",
    "\\b(one|any)Of\\b",
    "additional_?properties",
    "property_?names",
    "output_config",
    "text\\.format",
    "tool_choice",
    "grammar",
  ].join("|"),
  "i",
);

export const isAboutForm = (message: string): boolean => ABOUT_THE_FORM.test(message);
