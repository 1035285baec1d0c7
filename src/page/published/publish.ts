import { gzipSync } from "node:zlib";
import type { Trajectories } from "../../experiment/index.ts";
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
