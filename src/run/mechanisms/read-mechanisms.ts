import { existsSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { asId, type Id, type InstalledFields, memoryIds } from "../../kernel/index.ts";
import { dotted, type KeyPath } from "../../mind/index.ts";
import { didYouMean } from "../../text/index.ts";
import {
  besideFile,
  type Config,
  type OpenConfig,
  type Problem,
  type Reading,
  SHIPPED,
} from "../config/index.ts";
import { fieldsFor, type InstalledProgram } from "./installed-program.ts";
import { readProgram } from "./program-file.ts";

/** A program that a new world starts with. Without an owner, it belongs to itself. */
export type Mechanism = {
  readonly id: Id;
  readonly owner: Id | null;
  readonly fields: InstalledFields;
};

type Entry = Config["mechanisms"][string];

type Given = {
  readonly opened: OpenConfig;
  /** The name of the configuration that a resumed or forked run continues, or null. */
  readonly kept: string | null;
  /** The ids of the agents that the world has at the start. */
  readonly agents: readonly string[];
};

type Read = {
  readonly config: Config;
  readonly mechanisms: readonly Mechanism[];
  /** Their programs, whose code is not yet checked. */
  readonly programs: readonly InstalledProgram[];
};

/** The name of the folder of the shipped mechanisms, as a path in a configuration. */
const FOLDER = "mechanisms";

/**
 * Reads the programs in `mechanisms` with their settings. In the returned configuration, the paths
 * are absolute. Mechanisms that a kept configuration names are in the world already, so that their
 * files are not read.
 */
export const readMechanisms = (given: Given): Reading<Read> => {
  const { opened, kept } = given;
  const config = { ...opened.config, mechanisms: withPaths(opened) };
  const isNew = ([id]: readonly [string, Entry]): boolean =>
    [...opened.origins].some(
      ([key, origin]) => key.startsWith(`${FOLDER}.${id}.`) && (kept === null || origin !== kept),
    );
  const reads = Object.entries(config.mechanisms)
    .filter(isNew)
    .map(([id, entry]) => readMechanism(id, entry, given));
  const problems = reads.flatMap((read) => (read.ok ? [] : read.problems));
  if (problems.length > 0) return { ok: false, problems };
  const found = reads.flatMap((read) => (read.ok ? [read] : []));
  return {
    ok: true,
    config,
    mechanisms: found.map(({ mechanism }) => mechanism),
    programs: found.map(({ program }) => program),
  };
};

const withPaths = ({ config, origins, file }: OpenConfig): Config["mechanisms"] =>
  Object.fromEntries(
    Object.entries(config.mechanisms).map(([id, entry]) => {
      const isInFile = origins.get(`${FOLDER}.${id}.file`) === file;
      const path = isInFile ? besideFile(file, entry.file) : entry.file;
      return [id, { ...entry, file: programPath(path, entry.file) }];
    }),
  );

/**
 * The absolute path of a program. If the file `mechanisms/NAME` does not exist, it is the shipped
 * one of this name. `written` is the path as the user wrote it.
 */
export const programPath = (path: string, written: string): string => {
  if (existsSync(path) || isAbsolute(written)) return resolve(path);
  const shipped = join(SHIPPED.mechanisms, relative(FOLDER, written));
  return existsSync(shipped) ? shipped : resolve(path);
};

const readMechanism = (
  id: string,
  entry: Entry,
  { opened, agents }: Given,
): Reading<{ readonly mechanism: Mechanism; readonly program: InstalledProgram }> => {
  const spot = (path: KeyPath) => opened.placeOf([FOLDER, id, ...path]);
  const at = (path: KeyPath, message: string, hint: string | null = null): Problem => ({
    ...spot(path),
    message: `\`${dotted([FOLDER, id, ...path])}\`: ${message}`,
    hint,
  });
  const { owner } = entry;
  const problems: Problem[] = [];
  const taken = agents.flatMap((agent) => [agent, ...Object.values(memoryIds(agent))]);
  if (taken.includes(id)) {
    problems.push(at([], "an agent or its memory has this id", "choose another id"));
  }
  if (owner !== undefined && !agents.includes(owner)) {
    problems.push(at(["owner"], `there is no agent \`${owner}\``, didYouMean(owner, agents)));
  }
  const read = readProgram(entry.file);
  if (!read.ok) {
    const [first] = read.problems;
    const isWhole = first !== undefined && first.line === null;
    problems.push(
      ...(isWhole ? [at(["file"], `${first.file} ${first.message}`, SHIPPED_HINT)] : read.problems),
    );
    return { ok: false, problems };
  }
  const installed = fieldsFor(read.program, entry.settings ?? {});
  if (!installed.ok) {
    const wrong = installed.misfits.map(({ key, message, hint }) =>
      at(key === null ? [] : ["settings", key], message, hint),
    );
    return { ok: false, problems: [...problems, ...wrong] };
  }
  const unknown = unknownGood(entry, opened.config);
  if (unknown !== null) problems.push(at(["settings", "good"], unknown));
  if (problems.length > 0) return { ok: false, problems };
  const { price } = entry;
  const fields = {
    ...installed.fields,
    type: "mechanism",
    has_standing: true as const,
    ...(price === undefined ? {} : { price }),
  };
  const mechanism = { id: asId(id), owner: owner === undefined ? null : asId(owner), fields };
  const { code } = fields;
  const program = { id, file: entry.file, code, ownLine: installed.ownLine, entry: spot(["file"]) };
  return { ok: true, mechanism, program };
};

const SHIPPED_HINT = "docs/mechanisms.md lists the shipped ones, such as mechanisms/order-book.js";

/** A market without its token could never trade, so a wrong name is refused here. */
const unknownGood = ({ settings }: Entry, { mechanisms }: Config): string | null => {
  const good = settings?.good;
  if (typeof good !== "string" || Object.hasOwn(mechanisms, good)) return null;
  const known = Object.keys(mechanisms);
  const cure = didYouMean(good, known) ?? "add a token with this id";
  return `there is no mechanism \`${good}\`; ${cure}`;
};
