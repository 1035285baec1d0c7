import type { z } from "zod";

/** Validates `given` and adds each issue to `context`, under the path `before`. */
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
