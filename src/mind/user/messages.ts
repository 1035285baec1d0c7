import type { Json, View } from "../../kernel/index.ts";

/** What went wrong in a module of the user, and where. Lines and columns start at 1. */
export type ModuleFault = {
  /** The path of the file, relative to the folder of the module, such as `mind.ts`. */
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
};

/** What the module is asked, as plain data. `numbers` are the next values of `random`. */
export type MindQuestion = {
  readonly view: View;
  readonly memory: Json;
  readonly settings: { readonly [key: string]: Json };
};

export type ToModuleThread =
  | { readonly kind: "load"; readonly path: string }
  | {
      readonly kind: "decide";
      readonly path: string;
      readonly question: MindQuestion;
      readonly numbers: readonly number[];
    }
  | { readonly kind: "numbers"; readonly numbers: readonly number[] };

/** The absolute paths and the texts of the module and of the files that it imports. */
export type LoadReply =
  | {
      readonly kind: "loaded";
      readonly sources: readonly { readonly path: string; readonly text: string }[];
      /** The place of `decide`, with an empty message. */
      readonly at: ModuleFault;
      readonly notes: readonly ModuleFault[];
    }
  | { readonly kind: "failed"; readonly fault: ModuleFault };

export type DecideReply = {
  readonly kind: "decided";
  /** `returned` is plain data, but not checked yet. */
  readonly answer:
    | { readonly ok: true; readonly returned: unknown }
    | { readonly ok: false; readonly fault: ModuleFault };
  /** How many random numbers `decide` used. */
  readonly used: number;
  /** What prevents a run from repeating, such as a use of `Math.random`. Each is sent once. */
  readonly notes: readonly ModuleFault[];
};

/** `more_numbers` asks for more random numbers while `decide` runs. */
export type FromModuleThread =
  | { readonly kind: "ready" }
  | LoadReply
  | DecideReply
  | { readonly kind: "more_numbers" };
