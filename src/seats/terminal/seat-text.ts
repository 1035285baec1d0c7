import type { ShownMessage } from "../../kernel/index.ts";
import { valuesText } from "../../mind/index.ts";
import { counted } from "../../text/index.ts";
import type { FoundArtifact, SeatLook, SeatOutcome } from "../core/seat-look.ts";

type Row = readonly (string | number)[];

/** Where a seat is shown. It makes all text printable, because agents may have written it. */
export type Screen = {
  readonly line: (text: string) => void;
  /** Shows text that can have several lines. */
  readonly block: (text: string) => void;
  readonly table: (head: readonly string[], rows: readonly Row[]) => void;
  readonly message: (message: Message) => void;
  /** Shows a line beside the results. */
  readonly note: (text: string) => void;
  /** The same, also if only results are wanted. */
  readonly notice: (text: string) => void;
  readonly jsonLine: (text: string) => void;
};

const DESCRIPTION_CHARS = 60;

const secondsOf = (ms: number): string => `${ms / 1000} s`;

/** Prints what a seat sees. */
export const showLook = (output: Screen, look: SeatLook): void => {
  const { id, at_ms, horizon_ms, state, reason, to_move, balances, quotas, disk, values, last } =
    look;
  const now = to_move ? "it is your move" : `${state}: ${reason}`;
  output.line(`${id} at ${secondsOf(at_ms)} of ${secondsOf(horizon_ms)}, ${now}`);
  const held = balances.held > 0 ? ` (and ${balances.held} held)` : "";
  const left = Object.entries(quotas).map(([name, { available }]) => `${available} ${name}`);
  const free = `${disk.quota - disk.used} bytes of disk`;
  output.line(`${balances.scrip} scrip${held}; left: ${[...left, free].join(", ")}`);
  const worth = valuesText(values);
  if (worth !== "") output.line(worth);
  if (last !== null) output.line(`last action: ${last.action}, ${last.message}`);
  showListings(output, "your artifacts", look.artifacts);
  showListings(output, "market", look.market);
  showListings(output, "texts for sale", look.texts);
  showListings(output, "offered to you", look.offers);
  showTable(
    output,
    "tasks of the mint",
    ["task", "reward", "description"],
    look.tasks.map((task) => [task.id, task.reward, shortened(task.description)]),
  );
  output.line(mintText(look));
  const { unread } = look.mailbox;
  output.line(`${counted(unread.length, "unread message")}${unread.length > 0 ? "; inbox" : ""}`);
  if (look.cut) output.line("this look is shortened; search finds more");
};

type Listings = readonly Omit<FoundArtifact, "methods">[];

/** Prints what a search has found, as the market of a look. */
export const showFound = (output: Screen, found: Listings): void => {
  if (found.length === 0) output.line("nothing is found");
  showListings(output, "found", found);
};

const showListings = (output: Screen, title: string, listings: Listings): void =>
  showTable(
    output,
    title,
    ["id", "owner", "price", "read", "calls", "description"],
    listings.map(({ id, owner, executable, price, read_price, calls, description }) => {
      return [id, owner, executable ? price : "-", read_price, calls, shortened(description)];
    }),
  );

const showTable = (
  output: Screen,
  title: string,
  head: readonly string[],
  rows: readonly Row[],
): void => {
  if (rows.length === 0) return;
  output.line(`${title}:`);
  output.table(head, rows);
};

const shortened = (text: string): string => {
  const line = text.replaceAll(/[^\S\u2028\u2029]+/g, " ").trim();
  return line.length > DESCRIPTION_CHARS ? `${line.slice(0, DESCRIPTION_CHARS)}…` : line;
};

const mintText = ({ mint, at_ms }: SeatLook): string => {
  const { open, opens_at_ms, closes_at_ms, minimum_bid, own } = mint;
  const bids = own.map(({ artifact, amount, stage }) => `${artifact} ${amount} (${stage})`);
  const mine = bids.length === 0 ? "" : `; your bids: ${bids.join(", ")}`;
  if (open) return `mint: open until ${secondsOf(closes_at_ms)}, from ${minimum_bid} scrip${mine}`;
  return opens_at_ms > at_ms ? `mint: opens at ${secondsOf(opens_at_ms)}${mine}` : "mint: closed";
};

/** Prints the messages of a seat, the oldest first. */
export const showInbox = (output: Screen, { mailbox: { read, unread } }: SeatLook): void => {
  if (read.length + unread.length === 0) output.line("there are no messages");
  for (const message of read) output.message(messageOf(message, true));
  for (const message of unread) output.message(messageOf(message, false));
};

type Message = ReturnType<typeof messageOf>;

const messageOf = (
  { message: id, attached_scrip = 0, ...message }: ShownMessage,
  read: boolean,
) => ({ ...message, id, attached_scrip, read });

/** Prints what a move has done. */
export const showOutcome = (output: Screen, outcome: SeatOutcome): void => {
  const { message, result, cost, target, method, cut } = outcome;
  const paid = cost.scrip === 0 ? "" : ` for ${cost.scrip} scrip`;
  if (result === null) return output.line(`${message}${paid}`);
  output.line(`${[target, method].filter((part) => part !== null).join(".")}${paid}:`);
  output.block(typeof result === "string" ? result : JSON.stringify(result, null, 2));
  if (cut) output.line("the rest is cut");
};
