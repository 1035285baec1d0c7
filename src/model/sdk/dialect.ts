import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  ProviderV4,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ModelRequest } from "../port/model.ts";
import type { EffortLevel } from "../port/reasoning.ts";
import type { FormLevel } from "./form-levels.ts";
import type { Fetch } from "./guarded-fetch.ts";

/** Options that only the package of one provider reads. */
type Options = SharedV4ProviderOptions[string];

type PackageOptions = {
  readonly baseURL: string;
  readonly apiKey?: string;
  readonly fetch: Fetch;
  readonly structuredOutputs: boolean;
};

/** How requests for one provider differ from those for others. */
export type Dialect = {
  /** The forms of a reply that it can be asked for, richest first. */
  readonly forms: readonly FormLevel[];
  /** The same with `structured_outputs: false`. */
  readonly formsWithoutSchema: readonly FormLevel[];
  /** Opens the package of the provider. */
  open(options: PackageOptions): Promise<Pick<ProviderV4, "languageModel" | "embeddingModel">>;
  /** How to ask a model for this reasoning. `effort` is the nearest level. */
  reasoning(
    model: string,
    reasoning: EffortLevel | number,
    effort: EffortLevel,
  ): {
    /** A setting that the package translates for each model, to the nearest that the model has. */
    readonly effort?: LanguageModelV4CallOptions["reasoning"];
    readonly options?: Options;
    /** The tokens that the package adds to the token limit by itself. */
    readonly addedTokens?: number;
  };
  readonly options?: (request: ModelRequest) => Options;
  /** Options of the system text. */
  readonly systemOptions?: Options;
  /** The JSON Schema as the package should get it. */
  readonly schema?: (plain: JSONSchema7) => JSONSchema7;
};
