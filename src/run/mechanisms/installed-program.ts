import type { InstalledFields } from "../../kernel/index.ts";
import { inspectCode, programOf, sandboxFor } from "../../world/index.ts";
import { type Config, type Place, type Problem, physicsFor } from "../config/index.ts";
import { fitSettings, installedCode, type OwnLine, type ProgramFile } from "./program-file.ts";

type Fields = Pick<InstalledFields, "interface"> & { readonly code: string };

/** The code of a program with its settings, and its interface. */
export const fieldsFor = (program: ProgramFile, given: { readonly [name: string]: unknown }) => {
  const fitted = fitSettings(program.settings, given);
  if (!fitted.ok) return fitted;
  const { code, ownLine } = installedCode(program, fitted.values);
  const declared = program.interface;
  const fields: Fields = { code, ...(declared === null ? {} : { interface: declared }) };
  return { ok: true, fields, ownLine } as const;
};

export type InstalledProgram = {
  readonly file: string;
  readonly id: string;
  readonly code: string;
  /** Where the own lines of the file begin. Those before are settings and included files. */
  readonly ownLine: OwnLine;
  /** The place of the entry that installs it. */
  readonly entry: Place;
};

/** Loads programs in the sandbox. Returns a problem for each whose code cannot be used. */
export const programProblems = (
  config: Config,
  programs: readonly InstalledProgram[],
): readonly Problem[] => {
  if (programs.length === 0) return [];
  const physics = physicsFor(config);
  const sandbox = sandboxFor(physics);
  const problems = programs.flatMap(({ file, id, code, ownLine, entry }): readonly Problem[] => {
    const found = inspectCode(sandbox, programOf(code), physics.sandbox.gas_max);
    if (found.ok) return [];
    const hint = `correct the code; it is installed as ${id}`;
    const { place, refusal } = found;
    if (place === null || place.line < ownLine.code)
      return [{ ...entry, message: `${file}: ${refusal.message}`, hint }];
    const message = refusal.message.replace(/ \(line \d+\)/, "");
    const line = place.line - ownLine.code + ownLine.file;
    return [{ file, ...place, line, message, hint }];
  });
  // The thread of the sandbox is free at once, and the sandbox of the run uses it again.
  void sandbox.close();
  return problems;
};
