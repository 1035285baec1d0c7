import { serve } from "../../channel/index.ts";
import type { Ended, Script } from "./interpreter.ts";
import { pinGlobals } from "./pinned-globals.ts";

const { startAt } = pinGlobals();
const { runScript } = await import("./interpreter.ts");

const answers = {
  /** Answers when the interpreter is loaded. */
  load: (): void => {},
  run: (script: Script): Promise<Ended> => {
    startAt(script.nowMs);
    return runScript(script);
  },
};
export type ShellCalls = typeof answers;

serve("in order", answers);
