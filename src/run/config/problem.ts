/** The location of a problem. Lines and columns start at 1. */
export type Place = {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
};

/** A mistake in the user's input. The message and the hint are one line each. */
export type Problem = Place & { readonly message: string; readonly hint: string | null };

/** The result of reading the user's input: either the values or all problems. */
export type Reading<Found> =
  | ({ readonly ok: true } & Found)
  | { readonly ok: false; readonly problems: readonly Problem[] };

export const refused = (problem: Problem) => ({ ok: false, problems: [problem] }) as const;

export const problemOf = (file: string, message: string, hint: string | null = null): Problem => {
  return { file, line: null, column: null, message, hint };
};

/** Formats a problem as text, such as `config.yaml:3:5: unknown key …; did you mean …?`. */
export const showProblem = ({ file, line, column, message, hint }: Problem): string => {
  const place = line === null ? file : `${file}:${line}:${column ?? 1}`;
  return `${place}: ${message}${hint === null ? "" : `; ${hint}`}`;
};

export const byPlace = (a: Place, b: Place): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

/** Trouble with what a user asks of a run, such as a wrong setting. The lines are for the user. */
export class RunFailure extends Error {
  override readonly name = "RunFailure";
  readonly lines: readonly string[];
  /** False if the machine is the cause, such as a file that cannot be read. */
  readonly isUsersMistake: boolean;

  constructor(lines: string | readonly string[], isUsersMistake = true) {
    const all = typeof lines === "string" ? [lines] : lines;
    super(all.join("\n"));
    this.lines = all;
    this.isUsersMistake = isUsersMistake;
  }
}
