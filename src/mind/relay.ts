import type { z } from "zod";

/**
 * Adds to `context` what `schema` has against `given`. Each issue carries the schema and the inner
 * issue, so that whoever renders it can say what would be right; `before` is the way to `given`.
 */
export const relay = (
  schema: z.ZodType,
  given: unknown,
  { context, before = [] }: { readonly context: Context; readonly before?: readonly string[] },
): void => {
  for (const issue of schema.safeParse(given).error?.issues ?? []) {
    // A copy, because zod puts the way to the checked value in front of it.
    const path = [...before, ...issue.path];
    context.addIssue({ code: "custom", path, message: issue.message, params: { schema, issue } });
  }
};

type Context = z.core.$RefinementCtx;
