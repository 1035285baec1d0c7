import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemMessage } from "../../text/index.ts";
import { type Files, filesIn } from "../../tools/kinds.ts";

type Exported = {
  /** The number of files that were written or deleted. */
  readonly changed: number;
  readonly problems: readonly string[];
};

/**
 * Keeps a folder equal to the workspace of an agent. Deletes only files that the workspace had
 * before, so other files of the folder stay. Does not follow links, which could lead outside.
 */
export class WorkspaceExport {
  readonly #folder: string;
  readonly #imported: Files;
  #written: Files;

  /** @param content the content of the workspace that the folder has, or null if it has none. */
  constructor(folder: string, content: string | null) {
    this.#folder = folder;
    this.#imported = filesIn(content ?? "");
    this.#written = this.#imported;
  }

  /** Makes the folder. Returns why this is not possible, or null. */
  open(): string | null {
    return unlessFailed(this.#folder, () => void mkdirSync(this.#folder, { recursive: true }));
  }

  /** When the workspace is emptied, the files that the folder had before stay in it. */
  keepImported(): void {
    this.#written = new Map([...this.#written].filter(([path]) => !this.#imported.has(path)));
  }

  /** Writes what has changed since the last call. A file that fails is tried again next time. */
  update(files: Files): Exported {
    const gone = [...this.#written.keys()].filter((path) => !files.has(path));
    const changed = [...files].filter(([path, text]) => this.#written.get(path) !== text);
    const problems = [
      // A file can be where a folder was, so deletions come first.
      ...gone.map((path) => this.#try(path, (file) => this.#delete(file))),
      ...changed.map(([path, text]) => this.#try(path, (file) => write(file, text))),
    ].filter((problem) => problem !== null);
    const failed = new Set(problems.map(({ path }) => path));
    this.#written = new Map([...files].filter(([path]) => !failed.has(path)));
    return {
      changed: gone.length + changed.length - problems.length,
      problems: problems.map(({ problem }) => problem),
    };
  }

  #try(
    path: string,
    work: (file: string) => void,
  ): { readonly path: string; readonly problem: string } | null {
    const file = join(this.#folder, path);
    const link = linkIn(this.#folder, path);
    const problem =
      link === null ? unlessFailed(file, () => work(file)) : `${link} is a link; delete it`;
    return problem === null ? null : { path, problem };
  }

  /** Deletes a file, and the folders that are empty then. */
  #delete(file: string): void {
    rmSync(file, { force: true });
    for (let folder = dirname(file); folder !== this.#folder; folder = dirname(folder)) {
      if (readdirSync(folder).length > 0) return;
      rmdirSync(folder);
    }
  }
}

/** The first part of a path that is a link, or null. */
const linkIn = (folder: string, path: string): string | null => {
  let at = folder;
  for (const part of path.split("/")) {
    at = join(at, part);
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) return at;
  }
  return null;
};

const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  const opened = openSync(file, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0), 0o666);
  writeFileSync(opened, text);
  closeSync(opened);
};

/** Returns why the file system refused the work, or null. */
const unlessFailed = (file: string, work: () => void): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return systemMessage(error, file) ?? `${file}: ${String(error)}`;
  }
};
