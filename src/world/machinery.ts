import type { Subject } from "../kernel/index.ts";
import type { CheckedCodes } from "./checked-codes.ts";
import type { Meter } from "./meter.ts";
import type { ProgramKeys } from "./program-key.ts";
import type { Program, Sandbox } from "./sandbox/index.ts";

/** Says what is wrong with text as the configuration of an agent, null when nothing is. */
export type AgentCheck = (content: string) => string | null;

/** What a world needs beside the kernel: an engine for programs, and somebody who knows agents. */
export type Machinery = {
  readonly sandbox: Sandbox;
  readonly keys: ProgramKeys;
  readonly checked: CheckedCodes;
  readonly agentProblem: AgentCheck;
};

/** A step of an action: who takes it, and the gas it may use. */
export type Step = { readonly by: Subject; readonly meter: Meter };

export const programOf = ({ keys }: Machinery, code: string): Program => ({
  key: keys.of(code),
  code,
});
