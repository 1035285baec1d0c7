import type { Json, View } from "../../kernel/index.ts";
import type { PluginReply } from "./module-types.ts";

/** What went wrong in a module of the user, and where. Lines and columns start at 1. */
export type ModuleFault = {
  /** The path of the file, relative to the folder of the module, such as `mind.ts`. */
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
};

/** Which functions the default export of a module has. */
export type ModuleRole = "mind" | "plugin";

/** What all functions of a module get, as plain data. */
export type ModuleInput = {
  readonly view: View;
  readonly memory: Json;
  readonly settings: { readonly [key: string]: Json };
};

/** A call of a function of a module. */
export type ModuleCall =
  | { readonly function: "decide"; readonly input: ModuleInput }
  /** Asks a plugin for all that it adds to a step, and for its commands. */
  | {
      readonly function: "contribute";
      readonly input: ModuleInput & { readonly turnStart: boolean };
    }
  | {
      readonly function: "run";
      readonly tool: string;
      readonly args: Json;
      readonly input: ModuleInput & {
        readonly turnStart: boolean;
        readonly files: { readonly [path: string]: string };
      };
    }
  | { readonly function: "read"; readonly input: ModuleInput & { readonly reply: PluginReply } }
  | { readonly function: "reset"; readonly input: ModuleInput }
  | {
      readonly function: "command";
      readonly command: string;
      readonly args: string;
      readonly input: ModuleInput;
    };

/** `numbers` are the next values of `random`. */
export type ToModuleThread =
  | { readonly kind: "load"; readonly path: string; readonly role: ModuleRole }
  | {
      readonly kind: "call";
      readonly path: string;
      readonly role: ModuleRole;
      readonly call: ModuleCall;
      readonly numbers: readonly number[];
    }
  | { readonly kind: "numbers"; readonly numbers: readonly number[] };

/** The absolute paths and the texts of the module and of the files that it imports. */
export type LoadReply =
  | {
      readonly kind: "loaded";
      readonly sources: readonly { readonly path: string; readonly text: string }[];
      /** The place of the default export, with an empty message. */
      readonly at: ModuleFault;
      readonly notes: readonly ModuleFault[];
    }
  | { readonly kind: "failed"; readonly fault: ModuleFault };

export type CallReply = {
  readonly kind: "called";
  /** `returned` is plain data, but not checked yet. */
  readonly answer:
    | { readonly ok: true; readonly returned: unknown }
    | { readonly ok: false; readonly fault: ModuleFault };
  /** How many random numbers the function used. */
  readonly used: number;
  /** What prevents a run from repeating, such as a use of `Math.random`. Each is sent once. */
  readonly notes: readonly ModuleFault[];
};

/** `more_numbers` asks for more random numbers while a function runs. */
export type FromModuleThread =
  | { readonly kind: "ready" }
  | LoadReply
  | CallReply
  | { readonly kind: "more_numbers" };
