import type { z } from "zod";
import type { Physics, View } from "../kernel/index.ts";
import type { AgentMemory } from "../memory/index.ts";
import type { Durable, Environment, Model, Pricing, TokenBound } from "../model/index.ts";
import type { Sandbox } from "../world/index.ts";
import type { KeyPath } from "./core/findings.ts";
import type { Mind, ThoughtPrice } from "./core/mind.ts";
import type { SeatSource, TurnSource } from "./core/move-sources.ts";
import type { LlmDefaults, MindSettings, Own, ShippedSettings } from "./core/settings.ts";
import type { Prompt } from "./prompt/prompt.ts";
import type { ModuleRole } from "./user/messages.ts";
import type { UserModule } from "./user/module-thread.ts";

/** The configuration of an agent. The schemas of its kind's keys have checked its values. */
export type MindConfig = { readonly mind: string; readonly [key: string]: unknown };

/** Keys of `agent.yaml` with the schemas of their values. All are optional. */
export type MindKeys = { readonly [key: string]: z.ZodType };

/** The configuration with the keys of one kind. */
export type ConfigOf<Keys extends MindKeys> = { readonly mind: string } & {
  readonly [Key in keyof Keys]?: z.output<Keys[Key]> | undefined;
};

/** What is wrong or odd in a configuration. `path` is where, from the top of `agent.yaml`. */
export type Remark = {
  readonly path: KeyPath;
  readonly message: string;
  readonly hint: string | null;
};

/**
 * A kind of mind: all that a run must know of it before one of its agents thinks.
 *
 * Contract: a kind is a light declaration. What thinks is behind `load`, which a run calls once when
 * an agent needs it. Every function is pure, and gets a configuration whose keys are checked. A list
 * in `src/run/minds/kinds.ts` has all kinds. What others must know of a mind by its name alone is in
 * `core/mind-names.ts`.
 */
export type MindKind<Parts = MindParts> = MindTerms<MindConfig> & {
  readonly keys: MindKeys;
  readonly load: () => Promise<LoadedKind<MindConfig, Parts>>;
};

type MindTerms<Config> = {
  /** The values of `mind` for this kind, such as `llm` or `policy/trader`. */
  readonly names: readonly string[];
  /** How texts name the kind, such as `llm` or `policy/NAME`. */
  readonly label: string;
  /** The keys of the configuration in an agent's artifact that differ from those of `agent.yaml`. */
  readonly storedKeys?: MindKeys;
  /** A configuration without `mind` that has one of these keys is of this kind. */
  readonly impliedBy?: readonly string[];
  /**
   * What pays for a thought. `models`: calls of language models, which have a price and a key.
   * `program`: a program that alone knows its costs. `none`: no real money.
   */
  readonly cost: "none" | "models" | "program";
  /** Whether agents keep files. */
  readonly hasWorkspace?: boolean;
  /** Whether agents can think only on the wall clock, because they are programs of this machine. */
  readonly needsRealTime?: boolean;
  /** What is wrong with keys that are right each by itself. */
  readonly check?: (config: Config) => readonly Remark[];
  /** What is wrong with a persona if the library of programs has these topics only. */
  readonly checkTopics?: (config: Config, topics: readonly string[]) => readonly Remark[];
  /** What works in a persona, and is probably not what its author wants. */
  readonly oddities?: (config: Config) => readonly Remark[];
  /** The schema of a key's value for one of the names, if it depends on the name. */
  readonly schemaOf?: (key: string, mind: string) => z.ZodType | null;
  /** Why an agent cannot write this configuration itself, or null if it can. */
  readonly onlyPersonas?: (config: MindConfig) => string | null;
  /** The setting by which the agent writes Python, or null. */
  readonly pythonSetting?: (config: Config) => KeyPath | null;
  /** What the operator of a run is told about those agents for which `applies` is true. */
  readonly note?: {
    readonly applies: (config: Config) => boolean;
    readonly says: (names: string) => string;
  };
  readonly modules?: ModulesOfKind<Config>;
  /** The command line of the program of this machine that decides, as a person reads it. */
  readonly program?: (config: Config) => string;
};

/** How agents of a kind name modules of the user. */
type ModulesOfKind<Config> = {
  readonly role: ModuleRole;
  /** Names that no file of a module may have, because parts of the kind have them. */
  readonly takenNames?: readonly string[];
  /** The paths in `agent.yaml`, each with its place. */
  readonly inPersona: (config: MindConfig) => readonly { path: string; key: KeyPath }[];
  /** The configuration for the artifact. `names`: those of the run's copies, in the same order. */
  readonly stored: (config: MindConfig, names: readonly string[]) => MindConfig;
  /** The names of the run's copies that the configuration in an artifact has. */
  readonly inAgent: (config: Config) => readonly string[];
};

/** The part of a kind that thinks. */
export type LoadedKind<Config = MindConfig, Parts = MindParts> = {
  /** Makes what the agents of one run share. */
  readonly open: (parts: Parts) => OpenKind<Config>;
  /** What an agent would ask a model now. Null if the kind asks none. */
  readonly preview: Previewer<Config> | null;
  /** A new persona for `sim agents new`: what follows the line `mind`, and more files by name. */
  readonly template: (
    mind: string,
    shipped: ShippedSettings,
  ) => { readonly text: string; readonly files?: Readonly<Record<string, string>> };
};

export type OpenKind<Config = MindConfig> = {
  readonly create: (own: Own, config: Config) => Mind;
  readonly close?: () => Promise<void>;
};

type Previewer<Config> = (
  agent: { readonly own: Own; readonly config: Config },
  parts: PreviewParts,
  moment: { readonly view: View; readonly signal: AbortSignal },
) => Promise<Preview>;

/** What the next call of a model would send, and what a thought costs. */
export type Preview = {
  readonly settings: MindSettings;
  readonly prompt: Prompt;
  /** The questions of the steps of a workflow. */
  readonly steps: readonly {
    readonly step: string;
    readonly tokens: number;
    readonly text: string;
    /** Whether the step asks for an action, so that its text follows `prompt`. */
    readonly decides: boolean;
  }[];
  /** The system text of the steps that ask for data, or null if all steps decide. */
  readonly stepSystem: string | null;
  /** The least number of calls in a thought. */
  readonly callsPerThought: number;
  /** What the budget of the run must have left for the shortest question of a thought. */
  readonly reserved: TokenBound;
};

type PromptParts = {
  readonly defaults: LlmDefaults;
  readonly pricing: Pricing;
  /** The memories of the agents. Null if agents remember nothing. */
  readonly memory: AgentMemory | null;
  readonly actionsGuide: string;
  readonly sleepMaxS: number;
  readonly jsonDepthMax: number;
};

type SharedParts = {
  readonly seed: number;
  readonly physics: Physics;
  readonly sandbox: Sandbox;
  /** Returns a module of the user by the name of the run's copy. */
  readonly moduleNamed: (name: string, role: ModuleRole) => UserModule;
  readonly warn: (text: string) => void;
};

export type PreviewParts = SharedParts & { readonly llm: PromptParts };

/** What a run gives to the kinds of its minds. */
export type MindParts = SharedParts & {
  readonly env: Environment;
  /** The folder of the programs that policies can write. */
  readonly programsFolder: string;
  readonly policyPrice: ThoughtPrice;
  readonly policyThinkMs: readonly [number, number];
  readonly scriptThinkMs: number;
  readonly isPythonAllowed: boolean;
  /** Null in a run without seats. */
  readonly seats: SeatSource | null;
  /** Null in a run without coding agents. */
  readonly turns: TurnSource | null;
  readonly llm: PromptParts & {
    readonly model: Model;
    /** The simulated time of a thought: the model's latency (`recorded`), or [min, max] in ms. */
    readonly thinkMs: "recorded" | readonly [number, number];
    readonly durable: Durable;
  };
};

/** Declares a kind. Its functions get the configuration with the types of its own keys. */
export const mindKind = <
  Keys extends MindKeys,
  Stored extends MindKeys = Record<never, never>,
  Parts = MindParts,
>(
  kind: MindTerms<ConfigOf<Omit<Keys, keyof Stored> & Stored>> & {
    readonly keys: Keys;
    readonly storedKeys?: Stored;
    readonly load: () => Promise<LoadedKind<ConfigOf<Omit<Keys, keyof Stored> & Stored>, Parts>>;
  },
): MindKind<Parts> => kind as unknown as MindKind<Parts>;
