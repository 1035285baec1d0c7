import { html } from "htm/preact";
import type { BookLine } from "../../../figures/index.ts";
import { capitalised, momentText, numberText } from "../../../text/index.ts";
import type { BooksView as Books } from "../../routes/index.ts";
import { Facts, type NameAndValue, Panel, Pending, TabBar } from "../parts/parts.ts";
import { type Column, SortedTable } from "../parts/table.ts";
import { hashOf } from "./core/address.ts";
import { ArtifactLink, ForkNote, PrincipalLink, useMoment, useView } from "./core/view.ts";

/** The tabs, with their books by title. The mint has its facts too. */
const TABS: readonly (readonly [tab: string, ...books: string[]])[] = [
  ["mint", "Bids and winners", "Auctions", "Scores"],
  ["tasks", "Tasks", "Solved tasks"],
  ["escrow", "Escrow", "Sold through escrow"],
  ["debts", "Debts", "Closed debts"],
  ["votes", "Votes"],
  ["held", "Held scrip"],
];

export const BooksView = () => {
  const { address } = useView();
  const { value, problem } = useMoment<Books>("/books");
  if (value === null) return html`<${Pending} problem=${problem} />`;
  const { mint } = value;
  const [tab, ...shown] = TABS.find(([name]) => name === address.item) ?? TABS[0] ?? [];
  const books = booksIn(value);
  return html`
    <${ForkNote} from=${value.counted_from} />
    <${TabBar} label="Books" class="is-inner" current=${tab}>
      ${TABS.map(
        ([name, ...titles]) => html`<a href=${hashOf({ ...address, item: name })}
          aria-current=${name === tab ? "page" : undefined}>${capitalised(name)}${" "}
          <span class="note">${numberText(linesOf(books, titles))}</span></a>`,
      )}
    <//>
    ${
      tab === "mint" &&
      html`<${Panel} title="Mint" note=${mint.enabled ? undefined : "This world has no mint."}>
        <${Facts} facts=${mintFacts(mint)} />
      <//>`
    }
    ${books
      .filter(([title]) => shown.includes(title))
      .map(
        ([title, lines, fields, note]) => html`<${Panel} key=${title} title=${title} note=${note}>
          <${SortedTable} caption=${title} rows=${lines} first=${10}
            columns=${fields.split(" ").map((name) => columnOf(name, lines))} />
        <//>`,
      )}
  `;
};

const linesOf = (books: readonly Book[], titles: readonly string[]): number =>
  books.reduce((sum, [title, lines]) => sum + (titles.includes(title) ? lines.length : 0), 0);

/** `fields` lists the columns, separated by spaces. */
type Book = readonly [
  title: string,
  lines: readonly (BookLine | object)[],
  fields: string,
  note?: string,
];

const BIDS_NOTE = "Agents see bids only after the auction.";
const LATEST_NOTE = "The latest that the contract keeps, newest first. Events has all of them.";
const HOLDS_NOTE = "Scrip held for a bid, a call or a task. It still belongs to its owner.";

const booksIn = ({ mint, scores, solved, escrow, debts, votes, holds }: Books): readonly Book[] => [
  ["Bids and winners", mint.submissions, "artifact bidder amount auction stage", BIDS_NOTE],
  ["Auctions", mint.results, "auction at_ms price bids won"],
  ["Scores", scores, "at_ms artifact bidder auction score minted reason", "Newest first."],
  ["Tasks", mint.tasks, "id poster reward description", "Tasks that are not solved yet."],
  ["Solved tasks", solved, "at_ms id solver artifact reward description", "Newest first."],
  ["Escrow", escrow.listings, "artifact seller price buyer expires_at_ms", "Artifacts for sale."],
  ["Sold through escrow", escrow.closed.toReversed(), "artifact seller price status", LATEST_NOTE],
  ["Debts", debts.open, "debtor creditor amount unpaid status due_at_ms"],
  ["Closed debts", debts.closed.toReversed(), "debtor creditor amount status", LATEST_NOTE],
  ["Held scrip", holds, "owner amount purpose artifact", HOLDS_NOTE],
  ["Votes", votes, "title by votes quorum deadline_ms status"],
];

const mintFacts = (mint: Books["mint"]): readonly NameAndValue[] => [
  ["auction", `${mint.auction} ${mint.open ? "is open" : "is next"}`],
  ["last price", mint.last_price === null ? "none yet" : `${numberText(mint.last_price)} scrip`],
  ["auctions ended", numberText(mint.auctions_resolved)],
  ["bids and winners", numberText(mint.submissions.length)],
  ["tasks open", numberText(mint.tasks.length)],
];

/** The fields whose value is the id of a principal. */
const WHO: ReadonlySet<string> = new Set(
  "bidder seller buyer owner poster solver debtor creditor by".split(" "),
);

/** The fields that contain sentences. */
const PROSE: ReadonlySet<string> = new Set(["reason", "description", "title"]);

const columnOf = (name: string, lines: Book[1]): Column<object> => {
  const valueIn = (line: object): unknown => (line as { readonly [key: string]: unknown })[name];
  return {
    title: name.replace(/_ms$/, "").replaceAll("_", " "),
    isNumber: lines.every((line) => typeof valueIn(line) === "number"),
    isProse: PROSE.has(name),
    value: (line) => {
      const value = valueIn(line);
      return typeof value === "number" ? value : cellText(name, value);
    },
    cell: (line) => cell(name, valueIn(line)),
  };
};

const cell = (name: string, value: unknown) => {
  if (name === "won" && Array.isArray(value)) {
    return value.map((each, at) => [
      at > 0 && ", ",
      html`<${ArtifactLink} id=${entryText(each)} />`,
    ]);
  }
  if (typeof value !== "string" || value === "") return cellText(name, value);
  if (name === "artifact") return html`<${ArtifactLink} id=${value} />`;
  return WHO.has(name) ? html`<${PrincipalLink} id=${value} />` : value;
};

/** The fields of records that hold a moment in ms of run time. */
const MOMENT = /(?:at|until|deadline)_ms$/;

const cellText = (name: string, value: unknown): string => {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return MOMENT.test(name) ? momentText(value) : numberText(value);
  if (Array.isArray(value)) return value.map(entryText).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** Formats a list entry. Shows the first element of an array, or the artifact of an object. */
const entryText = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return String(value);
  const named: unknown = Array.isArray(value) ? value[0] : "artifact" in value && value.artifact;
  return typeof named === "string" ? named : JSON.stringify(value);
};
