import { meantBy, type Read, readExpression } from "./expression.ts";
import { issueAt, type Path, unknownAt, type WorkflowIssue } from "./issue.ts";
import type { Scope } from "./scope.ts";
import { readSlot, readTemplate } from "./template.ts";
import type { Workflow } from "./workflow-schema.ts";

/** Where a text stands: what it may read is what steps before `index` have set. */
export type Reader = {
  readonly workflow: Workflow;
  readonly scope: Scope;
  readonly index: number;
};

export const checkExpression = (text: string, path: Path, reader: Reader) => {
  const read = readExpression(text);
  if (!read.ok) return [issueAt(path, read.problem, read.hint)];
  return read.reads.flatMap((each) => checkRead(each, path, reader));
};

export const checkTemplate = (text: string, path: Path, reader: Reader) => {
  const read = readTemplate(text);
  if (!read.ok) return [issueAt(path, read.problem, read.hint)];
  return read.parts.flatMap((part) => {
    if (typeof part === "string") return [];
    return checkRead({ name: part.name, field: part.path[0] ?? null }, path, reader);
  });
};

/** A variable with the way into it, as `review.decision`. */
export const checkSlot = (text: string, path: Path, reader: Reader) => {
  const slot = readSlot(text);
  if (slot !== null) {
    return checkRead({ name: slot.name, field: slot.path[0] ?? null }, path, reader);
  }
  const hint = "write the variable alone, as in `on: review.decision`";
  return [issueAt(path, `"${text}" is not the name of a variable`, hint)];
};

/** The name of a variable, and of a field in it, as far as its fields are known. */
const checkRead = (read: Read, path: Path, reader: Reader): readonly WorkflowIssue[] => {
  const { name, field } = read;
  const { workflow, scope, index } = reader;
  const known = scope.get(name);
  if (known === undefined) {
    const visible = [...scope.values()].filter((each) => isSetBefore(each, index));
    const names = visible.map((each) => each.name);
    const issue = unknownAt(path, `unknown variable \`${name}\``, { word: name, known: names });
    return [{ ...issue, hint: meantBy(name) ?? issue.hint }];
  }
  if (!isSetBefore(known, index)) {
    const setter = workflow.steps[known.setBy ?? 0]?.name ?? "";
    const message =
      known.setBy === index
        ? `\`${name}\` is what this very step sets`
        : `\`${name}\` is set by the step \`${setter}\`, which comes later`;
    const kept = `give \`${setter}\` \`persist: true\` to see its value of the iteration before`;
    const hint = `${kept}, or change the order`;
    return [issueAt(path, message, hint)];
  }
  if (field === null || known.fields === null || known.fields.includes(field)) return [];
  const message = `\`${name}\` has no field \`${field}\``;
  return [unknownAt(path, message, { word: field, known: known.fields })];
};

const isSetBefore = (
  { setBy, persists }: { readonly setBy: number | null; readonly persists: boolean },
  index: number,
): boolean => setBy === null || setBy < index || persists;
