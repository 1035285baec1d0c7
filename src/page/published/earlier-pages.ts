import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObject, jsonIn } from "../../kernel/index.ts";
import { naming } from "../../read/index.ts";

/** A page contains what it says about itself. The JSON text has no `<`. */
const PUBLICATION = /<script type="application\/json" id="publication">([^<]*)<\/script>/;

/** The page of the results, from a page of a run. A page that stands alone has "". */
export const INDEX_FROM_RUN = "../index.html";

const isRunPage = (path: string): boolean => {
  const [, text = ""] = PUBLICATION.exec(readFileSync(path, "utf8")) ?? [];
  const publication = jsonIn(text);
  return isObject(publication) && publication.index === INDEX_FROM_RUN;
};

/**
 * Removes from a folder the pages of runs that an earlier publication wrote, except those in
 * `kept`. Their number is returned. Other files stay, and so does a page that stands alone.
 * @throws FileFailure that names a file that cannot be read or removed.
 */
export const removeEarlierPages = (folder: string, kept: ReadonlySet<string>): number => {
  if (!existsSync(folder)) return 0;
  const found = naming(folder, () => readdirSync(folder, { withFileTypes: true }));
  const earlier = found
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html"))
    .map(({ name }) => join(folder, name))
    .filter((path) => !kept.has(path) && naming(path, () => isRunPage(path)));
  for (const path of earlier) naming(path, () => rmSync(path));
  return earlier.length;
};
