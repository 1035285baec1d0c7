import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  agentsFolders,
  type Config,
  type OpenConfig,
  type Persona,
  programsFolder,
  RunFailure,
  SHIPPED,
  SHIPPED_CONFIG,
} from "../../run/index.ts";
import { type FilePack, filesIn, type PackedFile, packFiles } from "../../scale/index.ts";
import type { Experiment } from "../design/experiment.ts";
import type { CheckedCell } from "../design/manifest.ts";

/** The files of an experiment in one pack. Paths of its runs are relative to `folder` in it. */
type InputFiles = FilePack & { readonly folder: string };

const BYTES_MAX = 64 * 1_024 * 1_024;
const MB = 1_024 * 1_024;

/** Folders that no run reads. */
const UNREAD = new Set(["node_modules", ".git"]);

/**
 * The files and folders that the runs of a cell read, except for shipped ones. Paths are relative
 * to the current folder, unless the user wrote an absolute path.
 */
export const inputsOf = (
  opened: OpenConfig,
  planned: Config,
  personas: readonly Persona[],
): readonly string[] => [
  ...(opened.file === null || opened.file === SHIPPED_CONFIG ? [] : [opened.file]),
  ...[...agentsFolders(opened), programsFolder(opened)].filter((folder) => !isShipped(folder)),
  ...personas.flatMap(({ modules }) =>
    modules.flatMap(({ path, main, files }) =>
      files.map((file) => join(dirname(path), relative(dirname(main), file.path))),
    ),
  ),
  ...namedFiles(opened.config, planned),
];

/** True for a folder of the package that is used because the user named none. */
const isShipped = (folder: string): boolean =>
  isAbsolute(folder) && isInside(dirname(SHIPPED.agents), folder);

/** The programs and personas that mechanisms and schedules name. */
const namedFiles = (written: Config, planned: Config): readonly string[] => {
  const programs = Object.entries(planned.mechanisms).flatMap(([id, { file }]) =>
    programFiles(written.mechanisms[id]?.file ?? file, file),
  );
  const scheduled = planned.schedule.flatMap(({ add, install }, at) => {
    const given = written.schedule[at];
    const added = [add ?? []].flat().map((path, order) => {
      return pathFrom([given?.add ?? []].flat()[order] ?? path, path);
    });
    return install === undefined
      ? added
      : [...added, ...programFiles(given?.install?.file ?? install.file, install.file)];
  });
  return [...programs, ...scheduled];
};

/** A program and the files next to it, which it can include. A shipped program is left out. */
const programFiles = (written: string, path: string): readonly string[] => {
  const isByName = /^(\.\/)?mechanisms\//.test(written);
  if (isByName && isInside(SHIPPED.mechanisms, path)) return [];
  const folder = dirname(path);
  const neighbours = filesIn(folder, (name) => name.endsWith(".js")).map(({ from }) => from);
  return [...new Set([path, ...neighbours])].map((each) => pathFrom(written, each));
};

/** The path as a worker needs it: an absolute one only if the user wrote an absolute one. */
const pathFrom = (written: string, path: string): string =>
  isAbsolute(written) ? path : relative("", path);

const isInside = (folder: string, path: string): boolean => {
  const inside = relative(folder, path);
  return inside === "" || !(inside.startsWith("..") || isAbsolute(inside));
};

/**
 * Packs all files that the runs and measures of an experiment read, so that other machines can make
 * the runs. @throws RunFailure if a file cannot be packed.
 */
export const packInputs = async (
  { measures }: Experiment,
  cells: readonly CheckedCell[],
): Promise<InputFiles> => {
  const modules = await Promise.all(
    measures.map((each) => (each.kind === "module" ? measureFiles(each.file) : [])),
  );
  const paths = [...new Set([...cells.flatMap(({ reads }) => reads), ...modules.flat()])];
  const foreign = paths.find((path) => isAbsolute(path));
  if (foreign !== undefined) {
    const cure = "write a path that is relative to the file that names it";
    throw new RunFailure(
      `${foreign} is an absolute path, which other machines do not have; ${cure}`,
    );
  }
  const root = resolve(...Array.from({ length: Math.max(0, ...paths.map(stepsUp)) }, () => ".."));
  const found = paths.flatMap((path) => filesAt(path, relative(root, resolve(path))));
  const files = [...new Map(found.map((file) => [file.to, file])).values()];
  const bytes = files.reduce((sum, { bytes: size }) => sum + size, 0);
  if (bytes > BYTES_MAX) {
    const most = `the maximum is ${BYTES_MAX / MB} MB`;
    throw new RunFailure(
      `the runs read ${Math.ceil(bytes / MB)} MB of files (${paths.join(", ")}); ${most}`,
    );
  }
  return { ...(await packFiles(files)), folder: relative(root, "") };
};

/** How many folders above the current folder a path begins. */
const stepsUp = (path: string): number => {
  const parts = relative("", path).split(sep);
  const down = parts.findIndex((part) => part !== "..");
  return down < 0 ? parts.length : down;
};

type SizedFile = PackedFile & { readonly bytes: number };

const filesAt = (path: string, to: string): readonly SizedFile[] => {
  const place = to.split(sep).join("/");
  const found = statSync(path);
  if (!found.isDirectory()) return [{ from: path, to: place, bytes: found.size }];
  return filesIn(path, (name) => !UNREAD.has(name)).map((file) => ({
    from: file.from,
    to: place === "" ? file.to : `${place}/${file.to}`,
    bytes: statSync(file.from).size,
  }));
};

/** The module of a measure and the files that it imports. @throws RunFailure for a package. */
const measureFiles = async (entry: string): Promise<readonly string[]> => {
  const { parseSync } = await import("rolldown/utils");
  const found = new Set([entry]);
  for (const path of found) {
    if (path.endsWith(".json")) continue;
    const lang = /ts$/.test(path) ? "ts" : "js";
    const { module } = parseSync(path, readFileSync(path, "utf8"), { lang, sourceType: "module" });
    const named = [
      ...module.staticImports
        .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
        .map(({ moduleRequest }) => moduleRequest.value),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest, isType }) =>
          moduleRequest === null || isType ? [] : [moduleRequest.value],
        ),
      ),
    ];
    for (const specifier of named) {
      if (specifier.startsWith("node:")) continue;
      if (!specifier.startsWith(".")) {
        const cure = "with --on, measures can import files only";
        throw new RunFailure(`${path} imports the package ${specifier}; ${cure}`);
      }
      found.add(join(dirname(path), specifier));
    }
  }
  return [...found];
};
