import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { KeyPath } from "../../mind/index.ts";
import {
  besideFile,
  checkYaml,
  type Problem,
  problemOf,
  readText,
  readYaml,
  refused,
  SHIPPED_CONFIG,
} from "../../run/index.ts";
import { meantOrAll } from "../../text/index.ts";
import type {
  ArmCell,
  Band,
  CommonTreatment,
  Experiment,
  Measure,
  Treatment,
} from "./experiment.ts";
import { type ExperimentFile, experimentSchema, levelsOf, pointsOf } from "./experiment-file.ts";
import { figureNamed } from "./figures.ts";
import { startS } from "./planned-run.ts";

type Read =
  | { readonly ok: true; readonly experiment: Experiment }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Turns the parts of a file into an experiment, and collects the mistakes on the way. */
class Reader {
  readonly #file: string;
  readonly #read: ExperimentFile;
  readonly #placeOf: PlaceOf;
  /** All arms of the file. */
  readonly #arms: readonly ArmEntry[];
  readonly problems: Problem[] = [];

  constructor(file: string, read: ExperimentFile, placeOf: PlaceOf) {
    this.#file = file;
    this.#read = read;
    this.#placeOf = placeOf;
    this.#arms = (["arms", "model_arms"] as const).flatMap((section) =>
      Object.entries(read[section]).map(([arm, given]) => ({ section, arm, given })),
    );
  }

  base(): CommonTreatment {
    const { config, clock, duration, max_actions, max_cost, ...treatment } = this.#read.base;
    return {
      ...this.#treatment(treatment, ["base"]),
      config: config === undefined ? this.#configBeside() : this.path(config),
      clock: clock ?? "virtual",
      durationS: duration ?? null,
      maxActions: max_actions ?? null,
      maxCostUsd: max_cost ?? null,
    };
  }

  /** `config.yaml` next to the experiment file, else in the current folder, else the shipped one. */
  #configBeside(): string | null {
    const here = "config.yaml";
    const beside = this.path(here);
    if (existsSync(beside)) return beside;
    return existsSync(here) && resolve(here) !== SHIPPED_CONFIG ? here : null;
  }

  /** The arms that are run. Without a model, these do not include the arms that need one. */
  arms(model: string | null): readonly string[] {
    const { arms, model_arms } = this.#read;
    return model === null ? Object.keys(arms) : [...Object.keys(arms), ...Object.keys(model_arms)];
  }

  cells(model: string | null): readonly ArmCell[] {
    const points = pointsOf(this.#read);
    const keys = Object.keys(levelsOf(this.#read));
    const run = this.arms(model);
    const all = this.#arms.flatMap(({ section, arm, given }) => {
      const named = section === "arms" ? given : { ...given, ...(model === null ? {} : { model }) };
      const treatment = this.#treatment(named, [section, arm]);
      for (const { key } of treatment.settings) {
        if (!keys.includes(key)) continue;
        this.#wrong(
          [section, arm, "set", key],
          `\`${key}\` is a factor too`,
          "set it in one place",
        );
      }
      return points.map(({ factors, text }, at): ArmCell => {
        const settings = Object.entries(factors).map(([key, value]) => {
          return { key, value, place: this.place(["factors", key]) };
        });
        return {
          name: text === "" ? arm : `${arm} {${text}}`,
          arm,
          label: given.label ?? arm,
          slug: text === "" ? arm : `${arm}-p${at + 1}`,
          factors,
          treatment: { ...treatment, settings: [...treatment.settings, ...settings] },
        };
      });
    });
    return all.filter(({ arm }) => run.includes(arm));
  }

  /** Checks what the schema cannot. */
  check(): void {
    const { seeds, from, base, stop, factors } = this.#read;
    const both = Object.keys(this.#read.model_arms).find((arm) =>
      Object.hasOwn(this.#read.arms, arm),
    );
    if (both !== undefined) {
      this.#wrong(["model_arms", both], `\`${both}\` is in \`arms\` too`, "rename one");
    }
    const twice = seeds.find((seed, at) => seeds.indexOf(seed) !== at);
    if (twice !== undefined) this.#wrong(["seeds"], `seed ${twice} occurs twice`, "keep one");
    if (from !== undefined && base.duration !== undefined && from.at >= base.duration) {
      const end = `the runs end at ${base.duration} s`;
      this.#wrong(["from", "at"], `the fork at ${from.at} s is not before the end`, end);
    }
    if (from !== undefined) this.#checkLater(from.at);
    if (stop !== undefined && stop.max_seeds < seeds.length) {
      const many = `${seeds.length} seeds are planned`;
      this.#wrong(["stop", "max_seeds"], `${stop.max_seeds} is below the number of seeds`, many);
    }
    if (factors?.design === "latin_hypercube") this.#checkHypercube();
    else if (factors?.points !== undefined) {
      this.#wrong(["factors", "points"], "a grid has no `points`", "add design: latin_hypercube");
    }
    if (factors !== undefined && Object.keys(levelsOf(this.#read)).length === 0) {
      this.#wrong(["factors"], "there is no factor", "add one, such as mint.period_s: [30, 60]");
    }
    const same = Object.entries(levelsOf(this.#read)).find(
      ([, values]) => new Set(values.map((value) => JSON.stringify(value))).size < values.length,
    );
    if (same !== undefined) this.#wrong(["factors", same[0]], "a value occurs twice", "keep one");
  }

  measures(): readonly Measure[] {
    const found = this.#read.measures.flatMap((given, at) => this.#measure(given, at));
    const names = found.map(({ name }) => name);
    for (const [at, name] of names.entries()) {
      if (names.indexOf(name) === at) continue;
      this.#wrong(["measures", at], `the measure \`${name}\` occurs twice`, "rename or remove one");
    }
    const { stop } = this.#read;
    if (stop !== undefined && !names.includes(stop.when.measure)) {
      const cure = `the measures are ${names.join(", ")}`;
      this.#wrong(
        ["stop", "when", "measure"],
        `there is no measure \`${stop.when.measure}\``,
        cure,
      );
    }
    return found;
  }

  bands(): readonly Band[] {
    return this.#read.measures.flatMap((given, at) => {
      if (typeof given === "string") return [];
      const { name, bands = {}, published = {} } = given;
      for (const [key, map] of Object.entries({ bands, published })) {
        for (const arm of Object.keys(map)) this.#checkArm(arm, ["measures", at, key, arm]);
      }
      const names = this.#arms.map(({ arm }) => arm);
      const lacking = names.find(
        (arm) => Object.hasOwn(published, arm) && !Object.hasOwn(bands, arm),
      );
      if (lacking !== undefined) {
        const cure = `add bands: { ${lacking}: [lowest, highest] }`;
        const path = ["measures", at, "published", lacking];
        this.#wrong(path, `the published figure of \`${lacking}\` has no band`, cure);
      }
      return Object.entries(bands).map(([arm, [low, high]]): Band => {
        return { measure: name, arm, low, high, published: published[arm] ?? null };
      });
    });
  }

  path(given: string): string {
    return isAbsolute(given) ? given : besideFile(this.#file, given);
  }

  place(path: KeyPath): string {
    const { file, line, column } = this.#placeOf({ path, at: "value" });
    return line === null ? file : `${file}:${line}:${column ?? 1}`;
  }

  #checkArm(arm: string, path: KeyPath): void {
    const names = this.#arms.map((entry) => entry.arm);
    if (names.includes(arm)) return;
    this.#wrong(path, `there is no arm \`${arm}\``, meantOrAll(arm, names));
  }

  /** Entries of an arm before the fork would never be executed. */
  #checkLater(forkS: number): void {
    for (const { section, arm, given } of this.#arms) {
      for (const [at, entry] of (given.schedule ?? []).entries()) {
        const time = startS(entry);
        if (time === null || time > forkS) continue;
        const path = [section, arm, "schedule", at];
        this.#wrong(path, `the entry at ${time} s is not after the fork at ${forkS} s`, LATER);
      }
    }
  }

  #checkHypercube(): void {
    if (this.#read.factors?.points === undefined) {
      this.#wrong(["factors"], "a Latin hypercube needs `points`", "add points: 32");
    }
    for (const [key, values] of Object.entries(levelsOf(this.#read))) {
      const [low, high] = values;
      const isRange = values.length === 2 && typeof low === "number" && typeof high === "number";
      if (isRange && low < high) continue;
      this.#wrong(["factors", key], "must be [lowest, highest] in a Latin hypercube", null);
    }
  }

  #measure(given: ExperimentFile["measures"][number], at: number): readonly Measure[] {
    if (typeof given === "string") return this.#figure({ name: given }, at);
    if (given.file === undefined) return this.#figure(given, at);
    const { name, unit = null, file, bands: _bands, published: _published, ...others } = given;
    const [extra] = Object.keys(others);
    if (extra !== undefined) {
      this.#wrong(["measures", at, extra], `a measure with \`file\` has no \`${extra}\``, null);
    }
    const path = this.path(file);
    const text = readText(path);
    if (!text.ok) {
      const [problem] = text.problems;
      this.#wrong(["measures", at, "file"], `${path} ${problem?.message}`, null);
    }
    return [{ kind: "module", name, unit, place: this.place(["measures", at]), file: path }];
  }

  #figure(given: FigureEntry, at: number): readonly Measure[] {
    const { name, figure = name, group, agent, between, unit } = given;
    const scopes = [
      ...(group === undefined ? [] : (["group"] as const)),
      ...(agent === undefined ? [] : (["agent"] as const)),
      ...(given.at === undefined ? [] : (["at"] as const)),
      ...(between === undefined ? [] : (["between"] as const)),
    ];
    const path = ["measures", at];
    if (scopes.length > 1) {
      this.#wrong(path, `a measure has only one of ${scopes.join(", ")}`, "make two measures");
    }
    if (between !== undefined && between[0] >= between[1]) {
      this.#wrong(
        [...path, "between"],
        "`between` must be [from, to] with the earlier time first",
        null,
      );
    }
    const isTimed = given.at !== undefined || between !== undefined;
    const scope = isTimed ? "timeline" : group !== undefined ? "group" : agent ? "agent" : "run";
    const named = figureNamed(figure, scope);
    if ("problem" in named) {
      this.#wrong(given.figure === undefined ? path : [...path, "figure"], named.problem, null);
      return [];
    }
    const measure: Measure = {
      kind: "figure",
      name,
      unit: unit ?? named.found.unit,
      place: this.place(path),
      figure: named.found.path,
      group: group ?? null,
      agent: agent ?? null,
      atS: given.at ?? null,
      betweenS: between ?? null,
    };
    return [measure];
  }

  #treatment(given: TreatmentEntry, path: KeyPath): Treatment {
    const settings = Object.entries(given.set ?? {}).map(([key, value]) => {
      const place = this.place([...path, "set", key]);
      return { key, value: this.#withPaths(key, value), place };
    });
    return {
      agents: given.agents?.map((each) => this.path(each)) ?? null,
      only: given.only ?? null,
      model: given.model ?? null,
      settings,
      schedule: (given.schedule ?? []).map((entry) => this.#entry(entry)),
      schedulePlace: this.place([...path, "schedule"]),
    };
  }

  /** Makes the paths in a setting relative to the current folder, if the file exists there. */
  #withPaths(key: string, value: unknown): unknown {
    if (typeof value === "string" && PATH_SETTING.test(key)) {
      const path = this.path(value);
      return existsSync(path) ? path : value;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        this.#withPaths(`${key}.${name}`, inner),
      ]),
    );
  }

  /** Makes the paths of a schedule's entry relative to the current folder. */
  #entry(given: unknown): unknown {
    if (typeof given !== "object" || given === null) return given;
    const entry = Object.entries(given).map(([key, value]): [string, unknown] => {
      if (key === "add" && typeof value === "string") return [key, this.path(value)];
      if (key === "add" && Array.isArray(value)) {
        return [key, value.map((each) => (typeof each === "string" ? this.path(each) : each))];
      }
      if (key === "install" && typeof value === "object" && value !== null && "file" in value) {
        const { file } = value;
        return [key, typeof file === "string" ? { ...value, file: this.path(file) } : value];
      }
      return [key, value];
    });
    return Object.fromEntries(entry);
  }

  #wrong(path: KeyPath, message: string, hint: string | null): void {
    this.problems.push({ ...this.#placeOf({ path, at: "value" }), message, hint });
  }
}

/** The settings whose values are paths. */
const PATH_SETTING = /^(?:mechanisms\.[^.]+\.file|policy\.library)$/;

const LATER = "give it a later time, or put it into base";

type PlaceOf = (spot: {
  readonly path: KeyPath;
  readonly at: "key" | "value";
}) => Omit<Problem, "message" | "hint">;
type FigureEntry = Exclude<ExperimentFile["measures"][number], string>;
type TreatmentEntry = Omit<ExperimentFile["arms"][string], "label">;
type ArmEntry = {
  readonly section: "arms" | "model_arms";
  readonly arm: string;
  readonly given: ExperimentFile["arms"][string];
};

/** What a command changes in an experiment file. */
type Overrides = {
  /** The model of `model_arms`. Null: these arms are not run. */
  readonly model: string | null;
  readonly seeds: readonly number[] | null;
};

/** Reads an experiment file. Problems say where and what. Settings are checked later. */
export const readExperiment = (file: string, { model, seeds }: Overrides): Read => {
  const text = readText(file);
  if (!text.ok) return text;
  const parsed = readYaml(file);
  if (!parsed.ok) return parsed;
  const checked = checkYaml(parsed.yaml, experimentSchema);
  if (!checked.ok) return checked;
  const read = seeds === null ? checked.value : { ...checked.value, seeds };
  const reader = new Reader(file, read, parsed.yaml.placeOf);
  reader.check();
  if (model !== null && Object.keys(read.model_arms).length === 0) {
    const hint = "add `model_arms` to the file, or leave out --model";
    return refused(problemOf(file, "no arm takes the model of --model", hint));
  }
  const experiment: Experiment = {
    name: read.name,
    question: read.question ?? null,
    source: read.source ?? null,
    file,
    text: text.text,
    base: reader.base(),
    arms: reader.arms(model),
    modelArms: Object.keys(read.model_arms),
    cells: reader.cells(model),
    seeds: read.seeds,
    forkS: read.from?.at ?? null,
    forkPlace: reader.place(["from", "at"]),
    measures: reader.measures(),
    bands: reader.bands(),
    stop:
      read.stop === undefined
        ? null
        : {
            measure: read.stop.when.measure,
            ciWidth: read.stop.when.ci_width,
            seedsMax: read.stop.max_seeds,
          },
    limits: {
      wallS: read.limits.wall ?? null,
      usd: read.limits.usd ?? null,
      diskBytes: read.limits.disk ?? null,
    },
    keep: read.keep,
  };
  const { problems } = reader;
  return problems.length === 0 ? { ok: true, experiment } : { ok: false, problems };
};
