import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Trajectories } from "../../experiment/index.ts";
import { naming } from "../../figures/index.ts";
import { isObject, jsonIn } from "../../kernel/index.ts";
import {
  CopiedJournal,
  copyOfJournal,
  type JournalReader,
  restore,
  stateHash,
} from "../../world/index.ts";
import { pageDocument } from "../html/page-document.ts";
import type { Publication, PublishedRun, Redaction } from "./publication.ts";
import { redacted, redactedSettings } from "./redaction.ts";

const GZIP_LEVEL = 9;

/** A run as a published page holds it. */
export const publishedRun = (
  journal: JournalReader,
  run: string,
  { settings, leftOut }: Wanted,
): PublishedRun => {
  const whole = copyOfJournal(journal, run);
  const copy = redacted(whole, new Set(leftOut));
  return {
    settings: redactedSettings(settings, leftOut),
    journal: copy,
    state_hash: stateHash(restore(new CopiedJournal(copy)).state),
  };
};

type Wanted = {
  readonly settings: ReadonlyMap<string, string>;
  readonly leftOut: readonly Redaction[];
};

type PublishedPage = {
  readonly title: string;
  readonly publication: Publication;
  /** The runs on this page. */
  readonly runs: ReadonlyMap<string, PublishedRun>;
  /** The figures over time of the runs of an experiment, by which its page compares them. */
  readonly trajectories: Trajectories;
};

/** Creates a page that has its runs in itself. */
export const publishedPage = ({
  title,
  publication,
  runs,
  trajectories,
}: PublishedPage): Promise<string> =>
  pageDocument({
    page: "published",
    worker: "published-worker",
    place: { element: "div", id: "page" },
    title,
    noscript: ["This page needs JavaScript. It loads nothing from other places."],
    json: { publication },
    packs: new Map([
      ...[...runs].map(([id, run]) => [`run ${id}`, packOf(run)] as const),
      ["trajectories", packOf(trajectories)],
    ]),
  });

const packOf = (packed: PublishedRun | Trajectories): string =>
  gzipSync(JSON.stringify(packed), { level: GZIP_LEVEL }).toString("base64");

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
