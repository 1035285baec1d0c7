import type {
  ExperimentResult,
  Factors,
  FactorValue,
  RunRow,
  ShownExperiment,
} from "../../experiment/index.ts";
import { LEFT_OUT } from "../../figures/index.ts";
import type { Redaction } from "./publication.ts";
import { isLeftOut } from "./redaction.ts";

/**
 * An experiment without private texts. Its settings lose the same texts as those of a run: the
 * value of a factor becomes a number, also in the names of cells. Every redaction leaves out the
 * commands, which have the settings of the base and the arms, and the errors, which can quote them.
 */
export const redactedExperiment = (
  { result, progress, curves, arms, findings }: ShownExperiment,
  left: readonly Redaction[],
): ShownExperiment => {
  if (left.length === 0) return { result, progress, curves, arms, findings };
  const names = namesWithout(result.runs, left);
  const named = <Row extends { readonly cell: string }>(row: Row): Row => ({
    ...row,
    cell: names.cell(row.cell),
  });
  const cells = progress?.cells.map(named) ?? [];
  return {
    result: redactedResult(result, names),
    progress: progress === null ? null : { ...progress, cells },
    curves: curves.map((curve) => ({ ...curve, cells: curve.cells.map(named) })),
    arms: arms.map(({ name, settings }) => ({
      name,
      // Texts and lists can hold prompts or code, such as those of a schedule.
      settings: settings.map(({ key, value }) => {
        const isShown = typeof value === "number" && !isLeftOut(key, left);
        return { key, value: isShown ? value : LEFT_OUT };
      }),
    })),
    // Sentences about a point name the values of its factors.
    findings: hasLeftOutFactor(result.runs, left) ? [] : findings,
  };
};

const redactedResult = (result: ExperimentResult, names: Names): ExperimentResult => {
  const placed = <Row extends { readonly cell: string; readonly factors: Factors }>(
    row: Row,
  ): Row => ({ ...row, cell: names.cell(row.cell), factors: names.factors(row.factors) });
  const measures = Object.entries(result.measures).map(([name, { says, arms, differences }]) => {
    const own = Object.entries(arms).map(([cell, arm]) => [names.cell(cell), arm] as const);
    const compared = differences.map((each) => {
      const [a, b] = [names.cell(each.a), names.cell(each.b)];
      return { ...each, a, b };
    });
    return [name, { says, arms: Object.fromEntries(own), differences: compared }] as const;
  });
  return {
    ...result,
    runs: result.runs.map((run) => {
      const error = run.error === null ? null : LEFT_OUT;
      return { ...placed(run), command: LEFT_OUT, error };
    }),
    measures: Object.fromEntries(measures),
    bands: result.bands.map(placed),
    warnings: result.warnings.map(({ kind, arm, text }) => ({
      kind,
      arm: arm === null ? null : names.cell(arm),
      text: names.within(text),
    })),
  };
};

const hasLeftOutFactor = (
  runs: readonly Pick<RunRow, "factors">[],
  left: readonly Redaction[],
): boolean => runs.some(({ factors }) => Object.keys(factors).some((key) => isLeftOut(key, left)));

type Names = {
  readonly factors: (factors: Factors) => Factors;
  readonly cell: (name: string) => string;
  /** Replaces the names of cells in a text. */
  readonly within: (text: string) => string;
};

const namesWithout = (runs: readonly RunRow[], left: readonly Redaction[]): Names => {
  const values = new Map<string, FactorValue[]>();
  for (const [key, value] of runs.flatMap(({ factors }) => Object.entries(factors))) {
    const known = values.get(key) ?? [];
    if (!known.includes(value)) values.set(key, [...known, value]);
  }
  const factorsOf = (factors: Factors): Factors =>
    Object.fromEntries(
      Object.entries(factors).map(([key, value]) => {
        const number = (values.get(key)?.indexOf(value) ?? -1) + 1;
        return [key, isLeftOut(key, left) ? `${LEFT_OUT} ${number}` : value];
      }),
    );
  const renamed = new Map(
    runs.flatMap(({ cell, arm, factors }) => {
      if (!hasLeftOutFactor([{ factors }], left)) return [];
      const text = Object.entries(factorsOf(factors)).map(([key, value]) => `${key}=${value}`);
      return [[cell, `${arm} {${text.join(", ")}}`] as const];
    }),
  );
  // A name can be the start of another one.
  const longestFirst = [...renamed].toSorted(([a], [b]) => b.length - a.length);
  return {
    factors: factorsOf,
    cell: (name) => renamed.get(name) ?? name,
    within: (text) =>
      longestFirst.reduce((now, [from, to]) => now.replaceAll(from, () => to), text),
  };
};
