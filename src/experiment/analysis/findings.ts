import { counted, printable } from "../../text/index.ts";
import {
  type BandRow,
  type Contrast,
  type ExperimentResult,
  type Interval,
  pointText,
  type RunRow,
  type Summary,
} from "../result/result.ts";

const THOUSANDS = /(\d)(?=(\d{3})+(?!\d))/g;

/**
 * The number of decimals at which `size` has two digits, such as 3 for 0.012 and 0 for 28. Pass the
 * half of an interval: more digits of its mean have no meaning.
 */
const decimalsFor = (size: number): number => {
  if (!Number.isFinite(size) || size <= 0) return 2;
  return Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(size))));
};

/** The decimals of a mean, from its interval if there is one, else from its own size. */
export const decimalsOf = (mean: number, interval: Interval | null): number => {
  const half = interval === null ? 0 : (interval[1] - interval[0]) / 2;
  return half > 0 ? decimalsFor(half) : decimalsFor(Math.abs(mean) / 10);
};

/** A number with a fixed number of decimals, a minus sign (U+2212), and commas in thousands. */
export const fixedText = (value: number, decimals: number): string => {
  const digits = Math.abs(value).toFixed(decimals);
  if (Number(digits) === 0 && value !== 0) return withSign(value, Math.abs(value).toPrecision(2));
  const [whole = "", part] = digits.split(".");
  const grouped = whole.replaceAll(THOUSANDS, "$1,");
  return withSign(value, part === undefined ? grouped : `${grouped}.${part}`);
};

const withSign = (value: number, digits: string): string => (value < 0 ? `−${digits}` : digits);

/** A number with four significant digits, or all digits of a whole number. */
export const shortText = (value: number | null): string => {
  if (value === null) return "–";
  return fixedText(value, Number.isInteger(value) ? 0 : decimalsFor(Math.abs(value) / 100));
};

/** A number with two significant digits, such as a difference that can be detected. */
const roughText = (value: number): string => fixedText(value, decimalsFor(Math.abs(value)));

const P_LEAST = 0.001;

/** `p = 0.012`, or `p < 0.001`. */
const pText = (p: number): string => `p ${p < P_LEAST ? "< 0.001" : `= ${pNumber(p)}`}`;

/** `0.012`, or `< 0.001`. */
export const pNumber = (p: number): string =>
  p < P_LEAST ? `< ${P_LEAST}` : fixedText(p, p < 0.1 ? 3 : 2);

/** `0.48 to 0.52`. */
export const rangeText = (interval: Interval | null): string => {
  if (interval === null) return "–";
  const [low, high] = interval;
  const decimals = decimalsOf((low + high) / 2, interval);
  return `${fixedText(low, decimals)} to ${fixedText(high, decimals)}`;
};

/** `0.50 [0.48, 0.52]`, as in papers. */
export const estimateText = (mean: number | null, interval: Interval | null): string => {
  if (mean === null) return "–";
  const decimals = decimalsOf(mean, interval);
  if (interval === null) return fixedText(mean, decimals);
  const [low, high] = interval;
  return `${fixedText(mean, decimals)} [${fixedText(low, decimals)}, ${fixedText(high, decimals)}]`;
};

/**
 * What a finding says: a difference that counts, one that the correction takes away, no difference,
 * too few values to tell, the value of an arm that has no control, a mean outside the band in which
 * it is expected, or something about the runs.
 */
export type FindingKind =
  | "difference"
  | "uncertain"
  | "no_difference"
  | "too_few"
  | "value"
  | "outside_band"
  | "runs";

type ExperimentFinding = {
  readonly kind: FindingKind;
  /** The measure and the compared cells, or null if the finding is about all of them. */
  readonly measure: string | null;
  readonly a: string | null;
  readonly b: string | null;
  /** Plain sentences without control characters. Not escaped for HTML. */
  readonly text: string;
};

/** The level at which a difference counts. */
export const LEVEL = 0.05;
/**
 * The fewest pairs with which a difference can count: a permutation of the signs of n differences
 * has p >= 2 ^ (1 - n), and Holm's correction multiplies the least p by the number of tests.
 */
const pairsMin = (tests: number): number => {
  let pairs = 2;
  while (tests * 2 ** (1 - pairs) >= LEVEL) pairs += 1;
  return pairs;
};

/**
 * Says in plain sentences what an experiment found: first about its runs, then means outside their
 * bands, then differences from the least `p_holm` on, then all other contrasts in the order of the
 * measures.
 */
export const findings = (result: ExperimentResult): readonly ExperimentFinding[] => {
  const measures = Object.entries(result.measures);
  const tests = measures
    .flatMap(([, { differences }]) => differences)
    .filter(({ p }) => p !== null).length;
  const cells = new Map(result.runs.map((run) => [run.cell, run]));
  const all = measures.flatMap(([measure, { arms, differences }]) => {
    if (differences.length === 0) {
      return Object.entries(arms).map(([cell, summary]) => {
        return { finding: valueFinding(measure, cell, summary), p: 1 };
      });
    }
    return differences.map((contrast) => {
      const base = arms[contrast.b]?.mean ?? null;
      const finding = contrastFinding(measure, contrast, base, tests, cells);
      return { finding, p: contrast.p_holm ?? 1 };
    });
  });
  const clear = all
    .filter(({ finding }) => finding.kind === "difference")
    .sort((a, b) => a.p - b.p);
  const others = all.filter(({ finding }) => finding.kind !== "difference");
  const outside = result.bands.filter(({ inside }) => inside === false).map(bandFinding);
  return [
    ...runFindings(result),
    ...outside,
    ...[...clear, ...others].map(({ finding }) => finding),
  ];
};

const bandFinding = (row: BandRow): ExperimentFinding => {
  const { measure, cell, n, mean, ci95, low, high, published } = row;
  const shown = mean === null ? "–" : fixedText(mean, decimalsOf(mean, ci95));
  const figure = published === null ? "" : ` The published figure is ${published}.`;
  const text =
    `${measure} is on average ${shown} in ${cell} (${counted(n, "run")}), ` +
    `outside its band from ${low} to ${high}.${figure}`;
  return { kind: "outside_band", measure, a: cell, b: null, text: printable(text) };
};

/** `base` is the mean of the control. `cells` has a run of each cell. */
const contrastFinding = (
  measure: string,
  contrast: Contrast,
  base: number | null,
  tests: number,
  cells: ReadonlyMap<string, RunRow>,
): ExperimentFinding => {
  const { a, b } = contrast;
  const [one, other] = [cells.get(a), cells.get(b)];
  const point = one === undefined ? "" : pointText(one.factors);
  // Cells at one point of the factors get the names of their arms: the point is said once.
  const isShared = one !== undefined && other !== undefined && point === pointText(other.factors);
  const named = isShared ? { ...contrast, a: one.arm, b: other.arm } : contrast;
  const [kind, text] = verdictOn(measure, named, base, tests);
  const said = isShared && point !== "" ? `At ${point}: ${text.replace(/^No /, "no ")}` : text;
  return { kind, measure, a, b, text: printable(said) };
};

const verdictOn = (
  measure: string,
  contrast: Contrast,
  base: number | null,
  tests: number,
): readonly [kind: FindingKind, text: string] => {
  const { a, b, n, mean, ci95, p, p_holm } = contrast;
  if (n === 0 || mean === null) {
    const why = contrast.paired ? "no seed has a value in both" : "one of them has no value";
    return ["too_few", `${a} and ${b} cannot be compared in ${measure}: ${why}.`];
  }
  if (ci95 === null || n < 2) return ["too_few", singleText(measure, contrast, mean)];
  if (mean === 0 && ci95[0] === 0 && ci95[1] === 0) {
    const where = contrast.paired ? `for each of ${n} seeds` : `in all runs (${n} or more an arm)`;
    return ["no_difference", `${measure} is the same in ${a} as in ${b} ${where}.`];
  }
  const interval = intervalText(ci95, decimalsOf(mean, ci95));
  const facts = `95 % interval ${interval}, ${sampleText(contrast)}`;
  const size = sizeText(mean, ci95);
  if (p === null || p_holm === null) {
    const text = `${measure} is on average ${size} in ${a} than in ${b}: ${facts}, without a test.`;
    return ["too_few", text];
  }
  const holm = `${pText(p_holm)} after Holm's correction`;
  if (p_holm < LEVEL) {
    const text = `${measure} is on average ${size} in ${a} than in ${b}: ${facts}, ${holm}.`;
    return ["difference", `${text}${shareText(contrast, base)}${powerText(contrast)}`];
  }
  if (p < LEVEL) {
    const text =
      `${measure} may be ${size} in ${a} than in ${b}, but this can be chance: ${facts}, ` +
      `${pText(p)} alone and ${holm} for ${counted(tests, "difference")}.`;
    return ["uncertain", `${text}${fewText(contrast, tests) || powerText(contrast)}`];
  }
  const few = fewText(contrast, tests);
  if (few !== "") {
    return ["too_few", `${measure} is on average ${size} in ${a} than in ${b}: ${facts}.${few}`];
  }
  const text =
    `No difference in ${measure} was seen between ${a} and ${b}: ${a} is on average ${size}, ` +
    `${facts}, ${holm}.`;
  return ["no_difference", `${text}${powerText(contrast)}`];
};

const singleText = (measure: string, { a, b, paired }: Contrast, mean: number): string => {
  const what = paired ? "with one seed" : "with one run in an arm";
  const than =
    mean === 0 ? `equal in ${a} and ${b}` : `${sizeText(mean, null)} in ${a} than in ${b}`;
  return `${measure} is ${than} ${what}. One value says nothing about chance: use more seeds.`;
};

/** `0.02 lower`. */
const sizeText = (mean: number, interval: Interval | null): string => {
  if (mean === 0) return "neither higher nor lower";
  return directed(mean, decimalsOf(mean, interval));
};

const directed = (value: number, decimals: number): string =>
  `${fixedText(Math.abs(value), decimals)} ${value < 0 ? "lower" : "higher"}`;

/** `0.013 lower to 0.009 higher`, or `0.008 to 0.034 lower`: from the lesser difference on. */
const intervalText = ([low, high]: Interval, decimals: number): string => {
  if (low < 0 && high > 0) return `${directed(low, decimals)} to ${directed(high, decimals)}`;
  const [near, far] = Math.abs(low) < Math.abs(high) ? [low, high] : [high, low];
  return `${fixedText(Math.abs(near), decimals)} to ${directed(far, decimals)}`;
};

const sampleText = ({ paired, n }: Contrast): string =>
  paired ? `${counted(n, "seed")} in both` : `${counted(n, "run")} or more in each`;

const shareText = ({ b, mean }: Contrast, base: number | null): string => {
  if (mean === null || base === null || base === 0) return "";
  return ` This is ${roughText((100 * Math.abs(mean)) / Math.abs(base))} % of the mean of ${b}.`;
};

const powerText = ({ paired, n, detectable }: Contrast): string => {
  if (detectable === null || detectable === 0) return "";
  const sample = paired ? counted(n, "seed") : counted(n, "run");
  return (
    ` With ${sample} an arm, a difference of ${roughText(detectable)} would be seen in 4 of 5 ` +
    "experiments."
  );
};

/** Says if the pairs are so few that no result could be a difference. */
const fewText = ({ paired, n }: Contrast, tests: number): string => {
  const least = pairsMin(tests);
  if (!paired || n >= least) return "";
  const corrected = tests === 1 ? "" : `, after correction for ${tests} differences,`;
  return (
    ` With ${counted(n, "pair")} of runs, the test cannot${corrected} reach p < ${LEVEL}: ` +
    `use at least ${least} seeds.`
  );
};

const valueFinding = (
  measure: string,
  cell: string,
  { n, mean, ci95 }: Summary,
): ExperimentFinding => {
  const shown = mean === null ? "" : fixedText(mean, decimalsOf(mean, ci95));
  const text =
    n === 0 || mean === null
      ? `${measure} has no value in ${cell}.`
      : ci95 === null
        ? `${measure} is ${shown} in ${cell} (${counted(n, "run")}).`
        : `${measure} is on average ${shown} in ${cell}: 95 % interval ` +
          `${ci95.map((end) => fixedText(end, decimalsOf(mean, ci95))).join(" to ")}, ` +
          `${counted(n, "run")}. There is no control to compare with.`;
  return { kind: "value", measure, a: cell, b: null, text: printable(text) };
};

const runFindings = ({ runs, complete }: ExperimentResult): readonly ExperimentFinding[] => {
  const having = (status: string): number => runs.filter((run) => run.status === status).length;
  const [done, failed, skipped] = [having("done"), having("failed"), having("skipped")];
  const all = counted(runs.length, "run");
  const said = [
    ...(complete ? [] : [`The experiment is not complete: ${done} of ${all} are done.`]),
    ...(failed === 0 ? [] : [`${failed} of ${all} failed.`]),
    ...(skipped === 0 || !complete ? [] : [`${skipped} of ${all} were skipped.`]),
  ];
  if (said.length === 0) return [];
  const text = `${said.join(" ")} The figures below count only runs that are done.`;
  return [{ kind: "runs", measure: null, a: null, b: null, text }];
};
