import { z } from "zod";
import { addressProblem, secretPlaceIn } from "../port/address.ts";
import type { Dialect } from "../sdk/dialect.ts";
import { FormLevels } from "../sdk/form-levels.ts";
import { ReasoningSupport } from "../sdk/reasoning-support.ts";
import {
  type Environment,
  lazyModel,
  limitSettings,
  type Provider,
  type ProviderProblem,
} from "./provider.ts";

/** Refuses text that may hold a key. Keys belong in the environment, because runs show settings. */
const withoutSecrets = (text: string, context: z.RefinementCtx): void => {
  const place = secretPlaceIn(text);
  if (place !== null) context.addIssue(`must not hold ${place}; put a key into api_key_env`);
};

const networkSettings = z.strictObject({
  api_key_env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must name an environment variable"),
  /** The address of the provider's API, or null for the default address. */
  base_url: z.string().superRefine(withoutSecrets).nullable(),
  ...limitSettings,
  structured_outputs: z.boolean(),
});
export type NetworkSettings = Readonly<z.infer<typeof networkSettings>>;

type Description = {
  readonly aliases?: readonly string[];
  readonly price?: Provider["price"];
  /** False: it has no models that turn texts into vectors. */
  readonly embeds?: boolean;
  /** True for servers that may work without a key, such as those of the user. */
  readonly isKeyOptional?: boolean;
  /** The address of its API. Null: the user must set it. */
  readonly address: string | null;
  readonly dialect: Dialect;
};

/** A provider that is called over the network, through a package of the AI SDK. */
export const networkProvider = (
  name: string,
  {
    aliases = [],
    price = "by model",
    embeds = true,
    isKeyOptional = false,
    address: ownAddress,
    dialect,
  }: Description,
): Provider<NetworkSettings> => ({
  name,
  aliases,
  settings: networkSettings,
  price,
  embeds,
  keyVariable: ({ api_key_env }) => api_key_env,
  requiredVariable: ({ api_key_env }) => (isKeyOptional ? null : api_key_env),
  accounts: (settings, env) => {
    const keys = keysIn(settings, env);
    if (keys.length > 0) return keys.map((key) => ({ key, sharedAs: key }));
    return isKeyOptional ? [{ key: null, sharedAs: settings.base_url ?? "" }] : [];
  },
  problems: (model, settings, env) => {
    const { api_key_env: variable, base_url: address } = settings;
    const keys = keysIn(settings, env);
    const setting = `llm.providers.${name}.base_url`;
    const problems: ProviderProblem[] = [];
    const found = (text: string, keyVariable: string | null = null): void => {
      problems.push({ text, keyVariable });
    };
    if (keys.length === 0 && !isKeyOptional) {
      found(`no key for ${model}: set the environment variable ${variable}`, variable);
    }
    if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key))) {
      const what = "has characters that are not allowed in a header";
      found(`the key in ${variable} ${what}; copy it again`, variable);
    }
    if (address === null) {
      if (ownAddress === null) found(`no address for ${model}: set ${setting}`);
      return problems;
    }
    const wrong = addressProblem(address);
    if (wrong !== null) {
      const isSecret = secretPlaceIn(address) !== null;
      const cure = isSecret ? `; set the environment variable ${variable} instead` : "";
      found(`${setting} ${wrong}${cure}`);
    }
    return problems;
  },
  create: (settings, accounts, { seed: _, note, ...connections }) => {
    const { base_url, structured_outputs: structuredOutputs } = settings;
    // Without an address, the package would read the environment of the process.
    const address = base_url ?? ownAddress ?? "";
    const forms = new FormLevels(structuredOutputs ? dialect.forms : dialect.formsWithoutSchema);
    const reasoning = new ReasoningSupport(note);
    const shared = { name, dialect, address, structuredOutputs, forms, reasoning, ...connections };
    return accounts.map(({ key }) =>
      lazyModel(async () => (await import("../sdk/sdk-model.ts")).sdkModel({ ...shared, key })),
    );
  },
});

const keysIn = ({ api_key_env }: NetworkSettings, env: Environment): readonly string[] => {
  const keys = (env[api_key_env] ?? "").split(",").map((key) => key.trim());
  return [...new Set(keys.filter((key) => key !== ""))];
};
