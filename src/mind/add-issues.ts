import type { z } from "zod";

/**
 * Validates `given` with `schema` and adds each issue to `context`. `before` is the path of
 * `given`. Messages use `params` to list the allowed values.
 */
export const addIssues = (
  schema: z.ZodType,
  given: unknown,
  { context, before = [] }: { readonly context: Context; readonly before?: readonly string[] },
): void => {
  for (const issue of schema.safeParse(given).error?.issues ?? []) {
    // Copies the path, because zod prepends the outer path to this array.
    const path = [...before, ...issue.path];
    context.addIssue({ code: "custom", path, message: issue.message, params: { schema, issue } });
  }
};

type Context = z.core.$RefinementCtx;
