import { html } from "htm/preact";
import type { BookLine, BooksView as Books } from "../../dashboard/index.ts";
import { useAnswer } from "./ask.ts";
import { atQuery, versionOf } from "./moment.ts";
import {
  ArtifactLink,
  type Fact,
  Facts,
  Origin,
  Panel,
  Principal,
  Problem,
  Waiting,
} from "./parts.ts";
import { type Column, Table } from "./table.ts";
import type { ViewParts } from "./views.ts";
import { numberText, shown, timeText } from "./words.ts";

/** The books of the mint and of the standard library's brokers, and what is set aside. */
export const BooksView = (parts: ViewParts) => {
  const asked = `${parts.path}/books?${atQuery(parts.address)}`;
  const { value, problem } = useAnswer<Books>(asked, versionOf(parts));
  if (value === null) {
    return problem === null ? html`<${Waiting} />` : html`<${Problem} problem=${problem} />`;
  }
  const { mint } = value;
  return html`
    <${Origin} from=${value.counted_from} />
    <${Panel} title="Mint" note=${mint.enabled ? undefined : "This world has no mint."}>
      <${Facts} facts=${mintFacts(mint)} />
    <//>
    <div class="columns">
      ${booksIn(value).map(
        ({ title, note, lines, names }) => html`<${Panel} key=${title} title=${title} note=${note}>
          <${Lines} caption=${title} lines=${lines} names=${names} parts=${parts} />
        <//>`,
      )}
    </div>
  `;
};

type Book = {
  readonly title: string;
  readonly note?: string;
  readonly lines: readonly (BookLine | object)[];
  /** What of each line is shown; a contract may keep more. */
  readonly names: readonly string[];
};

const booksIn = ({ mint, scores, solved, escrow, debts, votes, holds }: Books): readonly Book[] => [
  {
    title: "Bids and winners",
    note: "Sealed from agents until the auction ends; not from you.",
    lines: mint.submissions,
    names: ["artifact", "bidder", "amount", "auction", "stage"],
  },
  { title: "Auctions", lines: mint.results, names: ["auction", "at_ms", "price", "bids", "won"] },
  {
    title: "Scores",
    note: "One for each time that an artifact was scored, the newest first.",
    lines: scores,
    names: ["at_ms", "artifact", "bidder", "auction", "score", "minted", "reason"],
  },
  {
    title: "Tasks",
    note: "What waits to be solved.",
    lines: mint.tasks,
    names: ["id", "poster", "reward", "description"],
  },
  {
    title: "Solved tasks",
    note: "The newest first.",
    lines: solved,
    names: ["at_ms", "id", "solver", "artifact", "reward", "description"],
  },
  {
    title: "Escrow",
    note: "What waits to be bought.",
    lines: escrow.listings,
    names: ["artifact", "seller", "price", "buyer", "expires_at_ms"],
  },
  {
    title: "Sold through escrow",
    note: "The latest, as escrow keeps them.",
    lines: escrow.closed.toReversed(),
    names: ["artifact", "seller", "price", "status"],
  },
  {
    title: "Debts",
    lines: debts.open,
    names: ["debtor", "creditor", "amount", "unpaid", "status", "due_at_ms"],
  },
  { title: "Votes", lines: votes, names: ["title", "by", "options", "votes", "deadline_ms"] },
  {
    title: "Set aside",
    note: "Scrip that waits for a purpose and belongs to its owner still.",
    lines: holds,
    names: ["owner", "amount", "purpose", "for"],
  },
];

const mintFacts = (mint: Books["mint"]): readonly Fact[] => [
  ["auction", `${mint.auction} ${mint.open ? "is open" : "comes next"}`],
  ["last price", mint.last_price === null ? "none yet" : `${numberText(mint.last_price)} scrip`],
  ["auctions so far", numberText(mint.auctions_resolved)],
  ["bids and winners", numberText(mint.submissions.length)],
  ["tasks open", numberText(mint.tasks.length)],
];

type LinesParts = Pick<Book, "lines" | "names"> & {
  readonly caption: string;
  readonly parts: ViewParts;
};

/** Columns in which a principal stands, and those in which an artifact does. */
const WHO: ReadonlySet<string> = new Set([
  "bidder",
  "seller",
  "buyer",
  "owner",
  "poster",
  "solver",
  "debtor",
  "creditor",
  "by",
]);
const WHAT: ReadonlySet<string> = new Set(["artifact"]);

/** A book of a contract, as the contract keeps it. */
const Lines = ({ caption, lines, names, parts }: LinesParts) => {
  const columns: readonly Column<object>[] = names.map((name) => ({
    title: name.replace(/_ms$/, "").replaceAll("_", " "),
    isNumber: lines.length > 0 && lines.every((line) => typeof valueIn(line, name) === "number"),
    cell: (line) => cell(name, valueIn(line, name), parts),
  }));
  return html`<${Table} caption=${caption} columns=${columns} rows=${lines} />`;
};

const valueIn = (line: object, name: string): unknown =>
  Object.entries(line).find(([key]) => key === name)?.[1];

const cell = (name: string, value: unknown, parts: ViewParts) => {
  if (typeof value !== "string" || value === "") return cellText(name, value);
  if (WHAT.has(name)) return html`<${ArtifactLink} id=${value} parts=${parts} />`;
  return WHO.has(name) ? html`<${Principal} id=${value} parts=${parts} />` : cellText(name, value);
};

const cellText = (name: string, value: unknown): string => {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number")
    return name.endsWith("_ms") ? timeText(value / 1_000) : numberText(value);
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
    return shown(value.join(", "));
  }
  if (Array.isArray(value)) return shown(value.map(wonText).join(", "));
  return shown(typeof value === "string" ? value : JSON.stringify(value));
};

/** One of a list: by its artifact or, of a vote, by whom it is. */
const wonText = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return String(value);
  const [named] = Array.isArray(value) ? value : [valueIn(value, "artifact")];
  return typeof named === "string" ? named : JSON.stringify(value);
};
