import { join } from "node:path";
import { z } from "zod";
import { jsonIn } from "../../kernel/index.ts";
import type { OutputFile } from "../../read/index.ts";
import { readText } from "../../run/index.ts";
import type { ExperimentResult } from "./result.ts";

const pathIn = (dir: string): string => join(dir, "result.json");

/** The file with the results of an experiment, as `sim experiment --json` prints them. */
export const resultFile = (dir: string, result: ExperimentResult): OutputFile => ({
  path: pathIn(dir),
  content: `${JSON.stringify(result, null, 2)}\n`,
});

const isResult = z.looseObject({
  name: z.string(),
  runs: z.array(z.looseObject({ id: z.string(), cell: z.string(), seed: z.number() })),
  measures: z.record(z.string(), z.looseObject({ says: z.string() })),
  warnings: z.array(z.looseObject({ text: z.string() })),
});

const resultSchema = z.custom<ExperimentResult>((value) => isResult.safeParse(value).success);

/** The results in the folder of an experiment. Null if there are none, or if they are damaged. */
export const savedResult = (dir: string): ExperimentResult | null => {
  const read = readText(pathIn(dir));
  return read.ok ? (resultSchema.safeParse(jsonIn(read.text)).data ?? null) : null;
};
