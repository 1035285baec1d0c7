import type { z } from "zod";

/**
 * Checks `given`, whose path is `before`, against `schema`, and adds each issue to `context`.
 * `params` holds the schema and the original issue, from which messages list the allowed values.
 */
export const addIssues = (
  schema: z.ZodType,
  given: unknown,
  { context, before = [] }: { readonly context: Context; readonly before?: readonly string[] },
): void => {
  for (const issue of schema.safeParse(given).error?.issues ?? []) {
    // zod prepends the outer path to this array, so it gets a copy.
    const path = [...before, ...issue.path];
    context.addIssue({ code: "custom", path, message: issue.message, params: { schema, issue } });
  }
};

type Context = z.core.$RefinementCtx;
