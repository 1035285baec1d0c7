/** Where something is wrong with what a person wrote. Lines and columns count from 1. */
export type Place = {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
};

/** What is wrong, what would be right, and perhaps what was meant. Each is one line of text. */
export type Problem = Place & { readonly message: string; readonly hint: string | null };

/** A problem of a whole file, folder or flag. */
export const problemOf = (file: string, message: string, hint: string | null = null): Problem => ({
  file,
  line: null,
  column: null,
  message,
  hint,
});

/** `config.yaml:3:5: unknown key …; did you mean …?` */
export const showProblem = ({ file, line, column, message, hint }: Problem): string => {
  const place = line === null ? file : `${file}:${line}:${column ?? 1}`;
  return `${place}: ${message}${hint === null ? "" : `; ${hint}`}`;
};

/** From the top of a file to its end. */
export const byPlace = (a: Place, b: Place): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
