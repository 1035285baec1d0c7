import { didYouMean } from "../nearest.ts";

/** Something that is wrong with a workflow: where, what, and what would be right. */
export type WorkflowIssue = {
  /** From the workflow on, as in `["steps", 2, "prompt"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint: string | null;
};

export type Path = WorkflowIssue["path"];

export const issueAt = (path: Path, message: string, hint: string | null): WorkflowIssue => ({
  path,
  message,
  hint,
});

/** Something that names what is not there; the hint is the nearest of what is. */
export const unknownAt = (
  path: Path,
  message: string,
  { word, known }: { readonly word: string; readonly known: readonly string[] },
): WorkflowIssue => {
  const all = known.length === 0 ? null : `known: ${known.slice(0, 12).join(", ")}`;
  return issueAt(path, message, didYouMean(word, known) ?? all);
};
