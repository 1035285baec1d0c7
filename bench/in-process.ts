import { fork } from "node:child_process";
import { join } from "node:path";

export type Measured<Value> = { readonly value: Value; readonly peakMb: number };

/**
 * Calls a function that a bench exports, in a process of its own: what ran before in a process
 * changes how fast the rest of it is.
 */
export const inProcess = <Value>(bench: string, name: string): Promise<Measured<Value>> =>
  new Promise((resolve, reject) => {
    const file = join(import.meta.dirname, "one.ts");
    const child = fork(file, [bench, name], { execArgv: ["--expose-gc"] });
    let measured: Measured<Value> | null = null;
    child.on("message", (message: Measured<Value>) => {
      measured = message;
    });
    child.on("exit", (code) => {
      if (measured !== null && code === 0) resolve(measured);
      else reject(new Error(`"${name}" of the bench "${bench}" ended with ${code}`));
    });
  });
