/** Those whose protocol is spoken here. */
export const PROVIDER_NAMES = ["google", "anthropic", "openai", "openai-compatible"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** Other names under which personas ask for them. */
const ALIASES: ReadonlyMap<string, ProviderName> = new Map([
  ["gemini", "google"],
  ["ollama", "openai-compatible"],
]);

export type ModelId = {
  readonly ok: true;
  readonly provider: ProviderName;
  /** The provider's own name for the model; it may hold slashes. */
  readonly model: string;
  /** The id without aliases: one model has one. */
  readonly id: string;
};

const KNOWN = "google (or gemini), anthropic, openai, openai-compatible (or ollama)";

/** Reads `provider/model`. The problem names the id and the providers there are. */
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
