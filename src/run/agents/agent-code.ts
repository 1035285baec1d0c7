import { type Json, NOTHING_ATTACHED, type Physics } from "../../kernel/index.ts";
import type { Environment } from "../../model/index.ts";
import {
  AgentPython,
  AgentShell,
  type RunCode,
  type ToolParts,
  type TryProgram,
} from "../../tools/index.ts";
import type { Evaluate } from "../../workflow/index.ts";
import {
  decodeArgs,
  decodeJson,
  inputJsonOf,
  KnownPrograms,
  type Sandbox,
} from "../../world/index.ts";
import type { Config } from "../config/index.ts";

type Given = {
  readonly config: Pick<Config, "tools">;
  readonly physics: Physics;
  readonly env: Environment;
  readonly warn: (text: string) => void;
};

/** What the minds of a run use to run code of agents. */
export type CodeParts = { readonly evaluator: () => Evaluate } & Pick<
  ToolParts,
  "tryProgram" | "runCode" | "runScript" | "runPython"
>;

/** The places where a run runs code of its agents: its sandbox, a shell, and perhaps Python. */
export class AgentCode {
  readonly forMinds: CodeParts;
  readonly #shell = new AgentShell();
  readonly #python: AgentPython;

  constructor(sandbox: Sandbox, { config, physics, env, warn }: Given) {
    const limits = { jsonDepthMax: physics.artifacts.json_depth_max };
    this.#python = new AgentPython({ isAllowed: config.tools.python, env, warn, limits });
    this.forMinds = {
      evaluator: evaluatorIn(sandbox, physics),
      tryProgram: draftsIn(sandbox, physics),
      runCode: scriptsIn(sandbox, physics),
      runScript: this.#shell.forThought,
      runPython: this.#python.forThought,
    };
  }

  /** Ends the shell and Python. The world still needs the sandbox. */
  async close(): Promise<void> {
    await Promise.all([this.#shell.close(), this.#python.close()]);
  }
}

/** The gas limit of one expression. */
const GAS_MAX = 20_000;

/**
 * Returns a function that creates an evaluator of workflow expressions. An expression runs in the
 * sandbox and can use only its variables. No account pays for the gas. All expressions of one
 * evaluator together have the gas limit of one program call.
 */
export const evaluatorIn = (sandbox: Sandbox, { sandbox: bounds }: Physics): (() => Evaluate) => {
  const programs = new KnownPrograms();
  return () => {
    let gasLeft = bounds.gas_max;
    return (expression, variables) => {
      if (gasLeft <= 0) return { ok: false, problem: "the gas of this thought is used up" };
      const code = programFor(expression, Object.keys(variables));
      const outcome = sandbox.run(
        {
          program: programs.of(code),
          method: "run",
          inputJson: inputOf(variables),
          stateJson: "{}",
          gasMax: Math.min(GAS_MAX, gasLeft),
          syscallsMax: 0,
        },
        () => NO_SYSCALLS,
      );
      gasLeft -= outcome.gas;
      return outcome.ok
        ? { ok: true, value: decodeJson(outcome.resultJson) }
        : { ok: false, problem: outcome.message };
    };
  };
};

/** The maximum gas that the drafts of one thought may use together is that of one program call. */
const draftsIn = (sandbox: Sandbox, { sandbox: bounds }: Physics): (() => TryProgram) => {
  const programs = new KnownPrograms();
  return () => {
    let gasLeft = bounds.gas_max;
    return ({ code, method, args }) => {
      const by = { self: "draft", caller: "you", origin: "you" };
      const outcome = sandbox.run(
        {
          program: programs.of(code),
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
const scriptsIn = (sandbox: Sandbox, { sandbox: bounds }: Physics): (() => RunCode) => {
  const programs = new KnownPrograms();
  return () => {
    let gasLeft = bounds.gas_max;
    return ({ code, functions, call }) => {
      const by = { self: "script", caller: "you", origin: "you" };
      const outcome = sandbox.run(
        {
          program: programs.of(scriptOf(code, functions)),
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

const NO_SYSCALLS = {
  ok: false,
  code: "not_authorized",
  message: "expressions only compute",
  gasUsed: 0,
} as const;

/** The validation of workflows ensures that all `names` are identifiers. */
const programFor = (expression: string, names: readonly string[]): string =>
  `function run($) {\n  const { ${names.join(", ")} } = $;\n  return (${expression}\n);\n}`;

const inputOf = (variables: { readonly [name: string]: Json }): string => {
  const by = { self: "workflow", caller: "workflow", origin: "workflow" };
  return inputJsonOf({ args: [variables], ...by, attached: NOTHING_ATTACHED, now: 0 });
};
