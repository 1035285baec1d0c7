import type { z } from "zod";

/**
 * Adds the issues of `given` under `schema` to `context`. Each issue carries the schema and the
 * inner issue, so that a renderer can show the allowed values; `before` is the path to `given`.
 */
export const addIssues = (
  schema: z.ZodType,
  given: unknown,
  { context, before = [] }: { readonly context: Context; readonly before?: readonly string[] },
): void => {
  for (const issue of schema.safeParse(given).error?.issues ?? []) {
    // Copied, because zod prepends the outer path to it.
    const path = [...before, ...issue.path];
    context.addIssue({ code: "custom", path, message: issue.message, params: { schema, issue } });
  }
};

type Context = z.core.$RefinementCtx;
