import { html } from "htm/preact";
import type { ExplainedMover } from "../../../routes/index.ts";
import { Panel } from "../../parts/parts.ts";
import { type Column, numberColumn, Table } from "../../parts/table.ts";
import { momentText, numberText, signedText } from "../../parts/text.ts";
import { periodOf } from "../address.ts";
import { ArtifactLink, Link, PrincipalLink, type ViewParts } from "../view.ts";

type MoverParts = {
  readonly movers: readonly ExplainedMover[];
  /** Of which events, such as `from 2:00.0 to 2:30.0`. */
  readonly when: string;
  readonly parts: ViewParts;
};

/** The programs whose prices moved the price index, by how much, and who set the price. */
export const PriceMovers = ({ movers, when, parts }: MoverParts) => {
  const columns: readonly Column<ExplainedMover>[] = [
    { title: "program", cell: ({ artifact: id }) => ArtifactLink({ id, parts }) },
    numberColumn("moved the index by", ({ factor }) => factor - 1, movedText),
    numberColumn("first paid", "first_price"),
    numberColumn("last paid", "last_price"),
    numberColumn("paid calls", "sales"),
    { title: "largest change set by", cell: (mover) => editOf(mover, parts) },
  ];
  return html`
    <${Panel} title=${`What moved the prices ${when}`} class="is-wide"
      note=${NOTE}>
      <${Table} caption="What moved the prices" columns=${columns} rows=${movers} />
    <//>
  `;
};

const NOTE =
  "The five programs of each direction. The change of the price index is the product of what all " +
  "programs did. A price counts when it is paid, in proportion to what the program sells, so it " +
  "can be set some time before. The last column leads to the program just after its price was set.";

/** The write that set the price, with a link to the program just after it. */
const editOf = ({ artifact, edit }: ExplainedMover, parts: ViewParts) => {
  if (edit === null) return "–";
  const { address } = parts;
  const place = { ...address, view: "artifacts", item: artifact, filter: periodOf(address) };
  const prices = [edit.from, edit.to].filter((price) => price !== null).map(numberText);
  return html`
    <${Link} to=${{ ...place, at: edit.seq }}>${momentText(edit.at_ms)}<//>
    ${" "}<${PrincipalLink} id=${edit.by} parts=${parts} />: ${prices.join(" → ")}
  `;
};

const movedText = (share: number | null): string =>
  `${signedText(Math.round((share ?? 0) * 1_000) / 10)} %`;
