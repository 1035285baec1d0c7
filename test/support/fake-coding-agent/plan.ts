import type { Json } from "../../../src/kernel/index.ts";

/** One thing that a fake coding agent does. */
export type Step =
  | { readonly does: "think"; readonly text: string }
  | { readonly does: "say"; readonly text: string }
  | {
      readonly does: "use";
      readonly tool: string;
      readonly input: Json;
      readonly result: string;
      readonly isError?: boolean;
    }
  /** Writes these characters as they are. */
  | { readonly does: "print"; readonly text: string }
  | { readonly does: "print_error"; readonly text: string }
  /** Prints one line of so many bytes. */
  | { readonly does: "print_long"; readonly bytes: number }
  /** Does nothing, until it is ended. */
  | { readonly does: "hang" }
  | { readonly does: "ignore_sigterm" }
  /** Starts a process that would stay, in its group or outside of it, and says its id. */
  | { readonly does: "fork"; readonly group: "same" | "own" }
  | {
      readonly does: "write";
      readonly path: string;
      readonly text: string;
      /** How `text` names the bytes. Default: utf8. */
      readonly encoding?: "base64";
    }
  | { readonly does: "say_long"; readonly chars: number }
  | { readonly does: "delete"; readonly path: string }
  /** Writes its arguments, its prompt and its environment to a file, as JSON. */
  | { readonly does: "record"; readonly path: string }
  /** Calls a tool of the MCP server that its provider's configuration names. */
  | { readonly does: "call_mcp"; readonly tool: string; readonly args: { [key: string]: Json } }
  | {
      readonly does: "report";
      readonly input: number;
      readonly output: number;
      readonly usd?: number;
    }
  /** The stream says that the turn failed. */
  | { readonly does: "fail"; readonly message: string }
  | { readonly does: "exit"; readonly code: number };

export type Dialect = "claude" | "codex" | "gemini" | "text";

export type Plan = {
  readonly dialect: Dialect;
  readonly session: string;
  readonly steps: readonly Step[];
  /** What it does instead if it is asked to resume a session. */
  readonly resumed?: readonly Step[];
};
