import type { FailureCode } from "./program.ts";

/**
 * Thrown by the host's side of the engine through all of its frames to end a call. It never enters
 * JavaScript inside the engine, so no `catch` or `finally` there can see it. What it leaves behind
 * in the engine's memory is thrown away with the next restore.
 */
export type Ending =
  | { readonly kind: "finished"; readonly result: Uint8Array; readonly state: Uint8Array | null }
  | { readonly kind: "rejected"; readonly code: string; readonly message: string }
  | {
      readonly kind: "failed";
      readonly code: FailureCode;
      readonly message: string;
      readonly dataJson?: string;
    };

export class Stop {
  readonly ending: Ending;

  constructor(ending: Ending) {
    this.ending = ending;
  }
}

export const failed = (code: FailureCode, message: string): Stop =>
  new Stop({ kind: "failed", code, message });
