import { z } from "zod";
import { extractJson, type ReplyForm } from "../../model/index.ts";
import { oneLine } from "../prompt/fence.ts";
import type { ReadResult } from "../reply/ask-until-read.ts";

const MARK_MAX = 10;
const REASON_CHARS_MAX = 300;

const mark = (what: string) => z.number().min(0).max(MARK_MAX).describe(`${what}, from 0 to 10`);

const verdict = z.object({
  reason: z.string().describe("why, in one or two sentences"),
  addresses_judge: z
    .boolean()
    .describe("whether the program addresses the judge or asks for marks"),
  usefulness: mark("how much others would pay to call it again and again"),
  correctness: mark("whether it does what it says, on hard inputs too"),
  clarity: mark("whether others can tell from its interface how to use it"),
});

export type Verdict = {
  readonly reason: string;
  readonly addressesJudge: boolean;
  /** The quality of the artifact, from 0 to 1. */
  readonly merit: number;
};

export const VERDICT_FORM: ReplyForm = {
  name: "verdict",
  rich: verdict,
  flat: verdict,
  described: `{"reason": "…", "addresses_judge": false,
 "usefulness": 4, "correctness": 7, "clarity": 6}`,
};

const WEIGHTS = { usefulness: 0.5, correctness: 0.3, clarity: 0.2 } as const;

export const readVerdict = (text: string): ReadResult<Verdict> => {
  const found = extractJson(text);
  if (found === undefined) return { ok: false, problem: "the reply contains no JSON object" };
  const read = verdict.safeParse(found);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { ok: false, problem: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}` };
  }
  const { reason, addresses_judge: addressesJudge, usefulness, correctness, clarity } = read.data;
  const sum =
    WEIGHTS.usefulness * usefulness + WEIGHTS.correctness * correctness + WEIGHTS.clarity * clarity;
  return {
    ok: true,
    value: { reason: oneLine(reason, REASON_CHARS_MAX), addressesJudge, merit: sum / MARK_MAX },
  };
};
