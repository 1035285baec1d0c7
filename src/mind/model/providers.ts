import {
  addressProblem,
  type LlmSettings,
  type ProviderSettings,
  secretPlaceIn,
} from "./llm-settings.ts";

/** Environment variables. */
export type Environment = { readonly [name: string]: string | undefined };

export type Providers = LlmSettings["providers"];

/** Such providers answer without a key, for example a local model server. */
const isKeyOptional = (provider: ProviderName): boolean => provider === "openai-compatible";

/** The keys of a provider, in the order of use. */
export const keysOf = (settings: ProviderSettings, env: Environment): readonly string[] => {
  const keys = (env[settings.api_key_env] ?? "").split(",").map((key) => key.trim());
  return [...new Set(keys.filter((key) => key !== ""))];
};

/**
 * The keys of a provider, or null for a request without a key. Empty if a required key is missing.
 */
export const credentialsOf = (
  provider: ProviderName,
  settings: ProviderSettings,
  env: Environment,
): readonly (string | null)[] => {
  const keys = keysOf(settings, env);
  return keys.length === 0 && isKeyOptional(provider) ? [null] : keys;
};

/**
 * The problems that would make every call of these models fail, one line each. They name variables
 * and settings, never the value of a key.
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
  /** One of the models that need it. */
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
    const what = "has characters that are not allowed in a header";
    problems.push(`the key in ${settings.api_key_env} ${what}; copy it again`);
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

export const PROVIDER_NAMES = ["google", "anthropic", "openai", "openai-compatible"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

const ALIASES: ReadonlyMap<string, ProviderName> = new Map([
  ["gemini", "google"],
  ["ollama", "openai-compatible"],
]);

export type ModelId = {
  readonly ok: true;
  readonly provider: ProviderName;
  /** The provider's own name for the model, which may contain slashes. */
  readonly model: string;
  /** The id without aliases, unique per model. */
  readonly id: string;
};

const KNOWN = "google (or gemini), anthropic, openai, openai-compatible (or ollama)";

/** Parses `provider/model`. */
export const parseModelId = (
  text: string,
): ModelId | { readonly ok: false; readonly problem: string } => {
  const slash = text.indexOf("/");
  const named = slash < 0 ? "" : text.slice(0, slash);
  const model = text.slice(slash + 1);
  const provider = ALIASES.get(named) ?? PROVIDER_NAMES.find((name) => name === named);
  if (slash < 0 || provider === undefined || model.trim() === "") {
    const what =
      slash < 0
        ? "names no provider"
        : provider === undefined
          ? `names the unknown provider "${named}"`
          : "names no model";
    return { ok: false, problem: `model "${text}" ${what}; write provider/model with ${KNOWN}` };
  }
  return { ok: true, provider, model, id: `${provider}/${model}` };
};

/**
 * How a form is requested, from exact to loose: a schema with unions, a schema without, any JSON,
 * or words alone. From `json` on the prompt describes the form.
 */
export type FormLevel = "rich" | "flat" | "json" | "text";

/** The levels of each provider, in the order of use. */
const SCHEMA_LADDERS: { readonly [P in ProviderName]: readonly FormLevel[] } = {
  google: ["rich", "flat", "text"],
  anthropic: ["rich", "flat", "text"],
  // Strict mode supports neither unions nor records.
  openai: ["flat", "text"],
  "openai-compatible": ["flat", "json", "text"],
};

const ladderOf = (provider: ProviderName, structuredOutputs: boolean): readonly FormLevel[] => {
  if (structuredOutputs) return SCHEMA_LADDERS[provider];
  return provider === "openai-compatible" ? ["json", "text"] : ["text"];
};

/** The level of each model of a provider, for all keys. */
export class FormLevels {
  readonly #ladder: readonly FormLevel[];
  readonly #steps = new Map<string, number>();

  constructor(provider: ProviderName, structuredOutputs: boolean) {
    this.#ladder = ladderOf(provider, structuredOutputs);
  }

  levelOf(model: string): FormLevel {
    return this.#ladder[this.#steps.get(model) ?? 0] ?? "text";
  }

  /** Notes that the model refused `level`. Returns the next one; null if there is none. */
  refused(model: string, level: FormLevel): FormLevel | null {
    const next = this.#ladder.indexOf(level) + 1;
    if (next >= this.#ladder.length) return null;
    // Concurrent calls report the same refusal.
    this.#steps.set(model, Math.max(next, this.#steps.get(model) ?? 0));
    return this.levelOf(model);
  }
}

/** Words that requests use for the form of a reply. */
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

/** Whether a request was refused because of its form. */
export const isAboutForm = (message: string): boolean => ABOUT_THE_FORM.test(message);
