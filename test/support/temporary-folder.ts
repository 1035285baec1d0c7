import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

const folderUntil = (end: (remove: () => void) => void): string => {
  const folder = mkdtempSync(join(tmpdir(), "catallaxy-test-"));
  end(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A folder that is removed after the test. */
export const temporaryFolder = (): string => folderUntil(onTestFinished);

/** A folder that is removed after all tests of the file or `describe`. Call it outside of tests. */
export const sharedFolder = (): string => folderUntil(afterAll);

/** A temporary folder with these files, by path. */
export const folderWith = (files: Readonly<Record<string, string>> = {}): string =>
  filled(temporaryFolder(), files);

/** Writes these files, by path, and returns the folder. */
export const filled = (folder: string, files: Readonly<Record<string, string>>): string => {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
};
