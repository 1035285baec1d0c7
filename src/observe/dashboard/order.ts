import { z } from "zod";
import type { OperatorOrder } from "../../runner/index.ts";

const agent = z.string().min(1).max(128);

const order = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal(["pause", "resume", "step", "stop", "checkpoint"]) }),
  z.strictObject({ kind: z.literal(["pause_agent", "resume_agent"]), agent }),
]);

/** An order as the page sends it; null for anything else. */
export const orderIn = (body: unknown): OperatorOrder | null => {
  const read = order.safeParse(body);
  return read.success ? read.data : null;
};
