import type { Json, JsonObject, View } from "../../kernel/index.ts";
import type { SleepEntry } from "../core/sleep.ts";

/** What your mind knows when it decides. All of it is a copy, so changes have no effect. */
export type DecideInput = {
  /** What the agent sees of the world. */
  readonly view: View;
  /** The memory that your last decision returned, or null before the first decision. */
  readonly memory: Json;
  /** The settings in `agent.yaml`. */
  readonly settings: { readonly [key: string]: Json };
  /** Returns a number in [0, 1). Use it instead of `Math.random`, so that runs repeat. */
  readonly random: () => number;
};

/** What your mind decides. */
export type UserDecision = {
  /** Such as `{ noop: {} }` or `{ invoke_artifact: { artifact_id: "x", args: [2] } }`. */
  readonly action: { readonly [kind: string]: unknown };
  /** Plain data that comes back as `memory` next time. Omit it to keep the old memory. */
  readonly memory?: unknown;
  /** Why, in a sentence. The journal and `sim explain` show it. */
  readonly reasoning?: string;
  /** The simulated time to wait before the action, in ms. */
  readonly waitMs?: number;
  /** The sleep after the action, as in a script: `{ for_s: 30, until: [...] }`. */
  readonly sleep?: SleepEntry;
};

/**
 * The default export of a module that `mind: ./mind.ts` names.
 *
 * Contract: `decide` is synchronous, and its result depends only on its argument. `decide` keeps
 * nothing in variables between calls, because a run can stop and resume between any two calls.
 */
export type UserMind = { readonly decide: (input: DecideInput) => UserDecision };

/** What the functions of a plugin get. All of it is a copy, so changes have no effect. */
type PluginInput = {
  /** What the agent sees of the world. */
  readonly view: View;
  /** What the plugin last returned as its memory, or null. Each agent has its own. */
  readonly memory: Json;
  /** The settings in `agent.yaml`. */
  readonly settings: { readonly [key: string]: Json };
  /** Returns a number in [0, 1). Use it instead of `Math.random`, so that runs repeat. */
  readonly random: () => number;
};

/** What the functions `system`, `message`, `tools` and `attributes` get for each step. */
type StepInput = PluginInput & {
  /** Whether this step starts a turn. */
  readonly turnStart: boolean;
};

/** How long a text stays in the conversation after the call for which it was made. */
export type Retention = boolean | "turn" | number;

/** A text at the end of the next message to the model. */
export type UserPluginText = {
  readonly text: string;
  /**
   * The later calls of the model that have the text. A number: this many. `turn`: those of this
   * turn. True: all, as long as the message stays. False, the default: none.
   */
  readonly keep?: Retention;
  /** False: the text is not in this call, only in those of `keep`. Default: true. */
  readonly show?: boolean;
};

export type UserTool = {
  readonly description: string;
  /** The JSON Schema of the arguments, an object. Default: no arguments. */
  readonly input?: JsonObject;
  /** Returns the result, or the result with a new memory and changed files (null deletes one). */
  readonly run: (
    args: { readonly [name: string]: Json },
    input: StepInput & { readonly files: { readonly [path: string]: string } },
  ) =>
    | string
    | {
        readonly text: string;
        readonly failed?: boolean;
        readonly memory?: unknown;
        readonly files?: { readonly [path: string]: string | null };
      };
};

export type UserAttribute = {
  /** Letters, digits and `-`. */
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly example?: string;
};

/** What a model replied in a step. */
export type PluginReply = {
  readonly text: string;
  readonly attributes: { readonly [name: string]: string };
  readonly calls: readonly { readonly name: string; readonly args: Json }[];
};

/** A command that a person can give in `sim chat`, as `/name args`. */
export type UserCommand = {
  readonly description: string;
  /** Returns the message to the agent, or a text to show to the person. */
  readonly run: (args: string, input: PluginInput) => string | { readonly show: string };
};

/**
 * The default export of a module that `plugins` names.
 *
 * Contract: all functions are synchronous, and a result depends only on the arguments. A plugin
 * keeps nothing in variables between calls, because a run can stop and resume between any two.
 */
export type UserPlugin = {
  /** A part of the system text. It should rarely change, because providers cache equal texts. */
  readonly system?: (input: StepInput) => string;
  readonly message?: (input: StepInput) => readonly UserPluginText[];
  /** The tools by name. A function can offer other tools in each step. */
  readonly tools?:
    | { readonly [name: string]: UserTool }
    | ((input: StepInput) => { readonly [name: string]: UserTool });
  /** Values that the model names with its reply. */
  readonly attributes?: readonly UserAttribute[] | ((input: StepInput) => readonly UserAttribute[]);
  /** Gets each reply of the model, and returns the new memory, or nothing to keep the old one. */
  readonly read?: (input: PluginInput & { readonly reply: PluginReply }) => unknown;
  readonly commands?: { readonly [name: string]: UserCommand };
  /** Returns the memory after a reset of the conversation. Default: null. */
  readonly reset?: (input: PluginInput) => unknown;
};
