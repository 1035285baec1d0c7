import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Files, filesIn } from "../../mind/index.ts";

/**
 * Keeps a folder equal to the workspace of an agent. Deletes only files that the workspace had
 * before, so other files of the folder stay.
 */
export class WorkspaceExport {
  readonly #folder: string;
  #written: Files;

  /** @param content the content of the workspace that the folder has, or null if it has none. */
  constructor(folder: string, content: string | null) {
    this.#folder = folder;
    this.#written = filesIn(content ?? "");
  }

  /** Writes what has changed since the last call, and returns the number of changed files. */
  update(files: Files): number {
    let changed = 0;
    for (const [path, text] of files) {
      if (this.#written.get(path) === text) continue;
      const file = join(this.#folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      changed += 1;
    }
    for (const path of this.#written.keys()) {
      if (files.has(path)) continue;
      rmSync(join(this.#folder, path), { force: true });
      changed += 1;
    }
    this.#written = files;
    return changed;
  }
}
