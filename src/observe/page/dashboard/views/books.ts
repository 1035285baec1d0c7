import { html } from "htm/preact";
import type { BookLine, BooksView as Books } from "../../../dashboard/index.ts";
import { Facts, type NameAndValue, Panel, Pending } from "../../parts/parts.ts";
import { type Column, Table } from "../../parts/table.ts";
import { numberText, shown, timeText } from "../../parts/text.ts";
import { ArtifactLink, ForkNote, PrincipalLink, useMoment, type ViewParts } from "../view.ts";

/** The books of the mint and of the contracts, and all scrip set aside. */
export const BooksView = (parts: ViewParts) => {
  const { value, problem } = useMoment<Books>(`${parts.path}/books`, parts);
  if (value === null) return html`<${Pending} problem=${problem} />`;
  const { mint } = value;
  return html`
    <${ForkNote} from=${value.counted_from} />
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
  /** The fields to show. */
  readonly names: readonly string[];
};

const booksIn = ({ mint, scores, solved, escrow, debts, votes, holds }: Books): readonly Book[] => [
  {
    title: "Bids and winners",
    note: "Agents see bids only after the auction.",
    lines: mint.submissions,
    names: ["artifact", "bidder", "amount", "auction", "stage"],
  },
  { title: "Auctions", lines: mint.results, names: ["auction", "at_ms", "price", "bids", "won"] },
  {
    title: "Scores",
    note: "The newest first.",
    lines: scores,
    names: ["at_ms", "artifact", "bidder", "auction", "score", "minted", "reason"],
  },
  {
    title: "Tasks",
    note: "Not solved yet.",
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
    note: "Artifacts for sale.",
    lines: escrow.listings,
    names: ["artifact", "seller", "price", "buyer", "expires_at_ms"],
  },
  {
    title: "Sold through escrow",
    note: "The latest sales.",
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
    note: "Scrip held for a bid, a call or a task; it still belongs to its owner.",
    lines: holds,
    names: ["owner", "amount", "purpose", "for"],
  },
];

const mintFacts = (mint: Books["mint"]): readonly NameAndValue[] => [
  ["auction", `${mint.auction} ${mint.open ? "is open" : "is next"}`],
  ["last price", mint.last_price === null ? "none yet" : `${numberText(mint.last_price)} scrip`],
  ["auctions so far", numberText(mint.auctions_resolved)],
  ["bids and winners", numberText(mint.submissions.length)],
  ["tasks open", numberText(mint.tasks.length)],
];

type LinesParts = Pick<Book, "lines" | "names"> & {
  readonly caption: string;
  readonly parts: ViewParts;
};

/** The fields that name a principal. */
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
  if (name === "artifact") return html`<${ArtifactLink} id=${value} parts=${parts} />`;
  return WHO.has(name)
    ? html`<${PrincipalLink} id=${value} parts=${parts} />`
    : cellText(name, value);
};

const cellText = (name: string, value: unknown): string => {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return name.endsWith("_ms") ? timeText(value) : numberText(value);
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
    return shown(value.join(", "));
  }
  if (Array.isArray(value)) return shown(value.map(entryText).join(", "));
  return shown(typeof value === "string" ? value : JSON.stringify(value));
};

/** An entry of a list: its artifact, or the voter. */
const entryText = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return String(value);
  const [named] = Array.isArray(value) ? value : [valueIn(value, "artifact")];
  return typeof named === "string" ? named : JSON.stringify(value);
};
