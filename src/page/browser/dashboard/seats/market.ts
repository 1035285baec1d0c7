import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import type { PlayedOutcome, SeatCommand, SeatLook } from "../../../dashboard/index.ts";
import { Button, breakable, Json, Panel } from "../../parts/parts.ts";
import { type Column, numberColumn, Table } from "../../parts/table.ts";
import { countText, fieldsOf, numberText } from "../../parts/text.ts";
import { Field } from "./fields.ts";
import type { Play, SeatParts } from "./play.ts";

/** An artifact that a look shows, or that a search has found: then its interface is not known. */
type ForSale = NonNullable<PlayedOutcome["found"]>[number] & {
  readonly interface?: SeatLook["market"][number]["interface"];
};

/** What the seat can buy and read, and a search for more. */
export const Market = ({ look: { market, texts, offers }, play }: SeatParts) => html`
  <${Panel} title="Market">
    <${Search} play=${play} />
    <h3>Programs</h3>
    <${Programs} of=${market} play=${play} />
    ${
      texts.length > 0 &&
      html`<h3>Texts</h3>
        <${Table} caption="Texts for sale" columns=${textColumns(play)} rows=${texts} />`
    }
    ${
      offers.length > 0 &&
      html`<h3>Offered to you</h3>
        <${Table} caption="Offered to you" columns=${offerColumns(play)} rows=${offers} />`
    }
  <//>
`;

type PlayParts = { readonly play: Play };

/** A search, and what the last one has found. */
const Search = ({ play }: PlayParts) => {
  const [words, setWords] = useState("");
  const [found, setFound] = useState<readonly ForSale[] | null>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (play.isOff || words.trim() === "") return;
    const outcome = await play.move({ kind: "search", words });
    if (outcome !== null) setFound(outcome.found ?? []);
  };
  return html`
    <form class="tools" onSubmit=${submit}>
      <${Field} label="Search" isHidden=${true} value=${words} set=${setWords} />
      <button type="submit" aria-disabled=${play.isOff}>Search</button>
      <span class="note">an action</span>
    </form>
    ${found !== null && html`<${Found} of=${found} play=${play} />`}
  `;
};

const Found = ({ of, play }: ProgramsParts) => {
  const texts = of.filter(({ executable }) => !executable);
  return html`
    <h3>${countText(of.length, "artifact")} found</h3>
    <ul class="messages">
      ${of
        .filter(({ executable }) => executable)
        .map((each) => html`<${Program} key=${each.id} of=${each} play=${play} />`)}
    </ul>
    ${
      texts.length > 0 &&
      html`<${Table} caption="Texts found" columns=${textColumns(play)} rows=${texts} />`
    }
  `;
};

/** How many programs are shown at first. */
const FIRST = 8;

type ProgramsParts = PlayParts & { readonly of: readonly ForSale[] };

const Programs = ({ of, play }: ProgramsParts) => {
  const [isAll, setAll] = useState(false);
  const programs = useSteady(of);
  if (programs.length === 0) return html`<p class="note">No programs for sale.</p>`;
  return html`
    <ul class="messages">
      ${(isAll ? programs : programs.slice(0, FIRST)).map(
        (each) => html`<${Program} key=${each.id} of=${each} play=${play} />`,
      )}
    </ul>
    ${
      !isAll &&
      of.length > FIRST &&
      html`<button type="button" onClick=${() => setAll(true)}>Show all ${of.length}</button>`
    }
  `;
};

/** Keeps the order in which the programs were first shown: a click must not hit another one. */
const useSteady = (programs: readonly ForSale[]): readonly ForSale[] => {
  const shown = useRef<readonly string[]>([]);
  const byId = new Map<string, ForSale>(programs.map((each) => [each.id, each]));
  shown.current = [...new Set([...shown.current, ...byId.keys()])];
  return shown.current.flatMap((id) => byId.get(id) ?? []);
};

type ProgramParts = PlayParts & { readonly of: ForSale };

/** A program, with a form that buys a call for the shown price. */
const Program = ({ of, play }: ProgramParts) => {
  const { id, owner, price, calls, description } = of;
  const [args, setArgs] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!play.isOff) void play.move({ kind: "buy", id, args, max_price: price });
  };
  return html`
    <li>
      <span class="message-head">
        <strong><bdi>${breakable(id)}</bdi></strong>
        <span>${numberText(price)} scrip</span>
        <span class="note">of <bdi>${owner}</bdi> · ${countText(calls, "call")}</span>
      </span>
      ${description !== "" && html`<p><bdi>${description}</bdi></p>`}
      <form class="text-form" onSubmit=${submit}>
        <${Field} label=${`Arguments of ${id}`} isHidden=${true} value=${args} set=${setArgs}
          placeholder=${exampleOf(of)} />
        <button type="submit" aria-label=${`Buy ${id}`} aria-disabled=${play.isOff}>Buy</button>
      </form>
      ${of.interface != null && html`<${Json} title="Interface" value=${of.interface} />`}
    </li>
  `;
};

/** The arguments of the first example of the interface, without the brackets. */
const exampleOf = ({ interface: declared }: ForSale): string => {
  const [example] = declared?.methods.flatMap(({ examples }) => examples ?? []) ?? [];
  const { args } = fieldsOf(example);
  if (!Array.isArray(args)) return "arguments as JSON";
  // The brackets of one list would mean its values.
  const isOneList = args.length === 1 && Array.isArray(args[0]);
  return isOneList ? JSON.stringify(args) : JSON.stringify(args).slice(1, -1);
};

const textColumns = ({ isOff, move }: Play): readonly Column<ForSale>[] => [
  { title: "text", cell: ({ id }) => id },
  { title: "owner", cell: ({ owner }) => owner },
  numberColumn("price", "read_price"),
  {
    title: "read",
    cell: ({ id }) => html`<${Button} isOff=${isOff} aria-label=${`Read ${id}`}
      onClick=${() => void move({ kind: "read", id })}>Read<//>`,
  },
];

const offerColumns = ({ isOff, move }: Play): readonly Column<ForSale>[] => [
  { title: "artifact", cell: ({ id }) => id },
  { title: "owner", cell: ({ owner }) => owner },
  {
    title: "accept",
    cell: ({ id }) => html`<${Button} isOff=${isOff} aria-label=${`Accept ${id}`}
      onClick=${() => void move(accepting(id))}>Accept<//>`,
  },
];

const accepting = (id: string): SeatCommand => {
  return { kind: "invoke", id: "genesis_ledger", method: "accept", args: [id] };
};
