import { NOTHING_ATTACHED, type Physics } from "../kernel/index.ts";
import { decodeArgs, decodeJson, inputJsonOf, programOf, type Sandbox } from "../world/index.ts";
import type { RunCode, TryProgram } from "./tool/tool.ts";

/** The maximum gas that the drafts of one thought may use together is that of one program call. */
export const draftsIn = (sandbox: Sandbox, { sandbox: bounds }: Physics): (() => TryProgram) => {
  return () => {
    let gasLeft = bounds.gas_max;
    return ({ code, method, args }) => {
      const by = { self: "draft", caller: "you", origin: "you" };
      const outcome = sandbox.run(
        {
          program: programOf(code),
          method,
          inputJson: inputJsonOf({ args, ...by, attached: NOTHING_ATTACHED, now: 0 }),
          stateJson: "{}",
          gasMax: gasLeft,
          syscallsMax: bounds.syscalls_max,
        },
        () => NOT_IN_A_TRIAL,
      );
      gasLeft -= outcome.gas;
      const { gas, logs: log } = outcome;
      return outcome.ok
        ? { ok: true, value: decodeJson(outcome.resultJson), gas, log }
        : { ok: false, problem: `${outcome.code}: ${outcome.message}`, gas, log };
    };
  };
};

/** The calls of tools in one script. The host works for a call without gas. */
const SCRIPT_CALLS_MAX = 100;
const TOOLS = "tools";

/**
 * Scripts run with the limits of drafts. A function of a script is a `kernel.invoke` of the
 * artifact `tools`, which exists for scripts only. All other syscalls are refused. The scripts of
 * one thought together have the gas of one program call; the drafts that they try have theirs.
 */
export const scriptsIn = (sandbox: Sandbox, { sandbox: bounds }: Physics): (() => RunCode) => {
  return () => {
    let gasLeft = bounds.gas_max;
    return ({ code, functions, call }) => {
      const by = { self: "script", caller: "you", origin: "you" };
      const outcome = sandbox.run(
        {
          program: programOf(scriptOf(code, functions)),
          method: "run",
          inputJson: inputJsonOf({ args: [], ...by, attached: NOTHING_ATTACHED, now: 0 }),
          stateJson: "{}",
          gasMax: gasLeft,
          syscallsMax: Math.min(bounds.syscalls_max, SCRIPT_CALLS_MAX),
        },
        ({ name, argsJson }) => {
          const [target, tool, args] = decodeArgs(argsJson);
          if (name !== "invoke" || target !== TOOLS || typeof tool !== "string") {
            return NOT_IN_A_SCRIPT;
          }
          const answer = call(tool, args ?? {});
          return answer.ok
            ? { ok: true, resultJson: JSON.stringify(answer.value), gasUsed: 0 }
            : { ok: false, code: "tool_failed", message: answer.problem, gasUsed: 0 };
        },
      );
      gasLeft -= outcome.gas;
      const { logs: log } = outcome;
      return outcome.ok
        ? { ok: true, value: decodeJson(outcome.resultJson), log }
        : { ok: false, problem: `${outcome.code}: ${outcome.message}`, log };
    };
  };
};

/**
 * The script starts in the first line, and bound functions have no line, so errors name the lines
 * of the script.
 */
const scriptOf = (code: string, functions: readonly string[]): string => {
  const bound = functions.map(
    (name) => `var ${name} = kernel.invoke.bind(null, "${TOOLS}", "${name}");`,
  );
  return `${bound.join(" ")} var print = kernel.log; function run() {${code}\n}`;
};

const NOT_IN_A_SCRIPT = {
  ok: false,
  code: "not_available",
  message: "a script has no kernel; call your tools as functions",
  gasUsed: 0,
} as const;

const NOT_IN_A_TRIAL = {
  ok: false,
  code: "not_available",
  message: "a draft runs alone; publish the program to use the kernel",
  gasUsed: 0,
} as const;
