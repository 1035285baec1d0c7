import { canonical, type Json, NOTHING_ATTACHED } from "../../kernel/index.ts";
import { examplesIn, type LibraryExample } from "../../policy/index.ts";
import { shortened } from "../../text/index.ts";
import { decodeJson, inputJsonOf, programOf, type Sandbox, sandboxFor } from "../../world/index.ts";
import { type Config, type Problem, physicsFor } from "../config/index.ts";

/**
 * Runs each example of a library of the user in the sandbox. Returns a problem for each example
 * whose result is wrong, because agents test programs with their examples before they buy. Returns
 * none for the shipped library.
 */
export const libraryProblems = async (
  config: Config,
  folder: string,
): Promise<readonly Problem[]> => {
  if (config.policy.library === null) return [];
  const physics = physicsFor(config);
  const sandbox = sandboxFor(physics);
  const failures = new Set<string>();
  const problems = examplesIn(folder).flatMap((example): readonly Problem[] => {
    const { code, method, args, file, line, column } = example;
    const outcome = sandbox.run(
      {
        program: programOf(code),
        method,
        inputJson: inputJsonOf({ args, ...BY, attached: NOTHING_ATTACHED, now: 0 }),
        stateJson: "{}",
        gasMax: physics.sandbox.gas_max,
        syscallsMax: 1,
      },
      () => NO_SYSCALLS,
    );
    const message = differenceIn(example, outcome);
    // A program that cannot run at all fails in the same way with each example.
    const isKnown = !outcome.ok && failures.has(`${file} ${outcome.message}`);
    if (message === null || isKnown) return [];
    if (!outcome.ok) failures.add(`${file} ${outcome.message}`);
    return [{ file, line, column, message, hint: null }];
  });
  await sandbox.close();
  return problems;
};

const BY = { self: "library", caller: "library", origin: "library" };

const NO_SYSCALLS = {
  ok: false,
  code: "not_authorized",
  message: "a program of the library only computes",
  gasUsed: 0,
} as const;

const differenceIn = (
  { method, args, result, codeLine }: LibraryExample,
  outcome: ReturnType<Sandbox["run"]>,
): string | null => {
  const call = `${method}(${args.map(shown).join(", ")})`;
  if (!outcome.ok) {
    const reason = outcome.message.replace(/ \(line (\d+)\)$/, (_, line: string) =>
      codeLine === null ? "" : ` (line ${codeLine + Number(line) - 1})`,
    );
    return `${call} fails: ${reason}`;
  }
  const returned = decodeJson(outcome.resultJson);
  if (canonical(returned) === canonical(result)) return null;
  return `${call} returns ${shown(returned)}, but the example says ${shown(result)}`;
};

const SHOWN_CHARS = 60;

const shown = (value: Json): string => shortened(JSON.stringify(value), SHOWN_CHARS);
