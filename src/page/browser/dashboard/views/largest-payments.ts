import { html } from "htm/preact";
import type { PaymentRow } from "../../../routes/index.ts";
import { Alert, Panel, Pending } from "../../parts/parts.ts";
import { type Column, numberColumn, Table } from "../../parts/table.ts";
import { type Address, periodOf } from "../address.ts";
import {
  ArtifactLink,
  Link,
  MomentLink,
  PrincipalLink,
  useMoment,
  type ViewParts,
} from "../view.ts";
import { periodQuery } from "./period.ts";

type Answered = { readonly payments: readonly PaymentRow[] };

/** The largest payments of the run or of the period, each with the way to the thought behind it. */
export const LargestPayments = (parts: ViewParts) => {
  const query = periodQuery(parts);
  const { value, problem } = useMoment<Answered>(`${parts.path}/payments?${query ?? ""}`, parts);
  const of = query === null ? "run" : "period";
  return html`
    <${Panel} title="Largest payments">
      <p class="note">Of the ${of}, between principals and from the mint. <em>Explain</em> leads to
        the thought behind a payment.</p>
      ${
        value === null
          ? html`<${Pending} problem=${problem} />`
          : html`<${Alert} problem=${problem} />
              <${Table} caption=${`Largest payments of the ${of}`} columns=${columnsOf(parts)}
                rows=${value.payments} />`
      }
    <//>
  `;
};

const columnsOf = (parts: ViewParts): readonly Column<PaymentRow>[] => [
  { title: "at", isNumber: true, cell: ({ seq, at_ms: atMs }) => MomentLink({ seq, atMs, parts }) },
  numberColumn("scrip", "amount"),
  {
    title: "from → to",
    cell: ({ from, to }) => html`
      ${from === null ? "the mint" : html`<${PrincipalLink} id=${from} parts=${parts} />`} →
      ${" "}<${PrincipalLink} id=${to} parts=${parts} />
    `,
  },
  {
    title: "for",
    cell: ({ artifact: id, what }) => (id === null ? what : ArtifactLink({ id, parts })),
  },
  { title: "what happened", isProse: true, cell: ({ says }) => says },
  {
    title: "why",
    cell: (payment) => {
      const to = trailOf(payment, parts);
      return to === null ? "–" : html`<${Link} to=${to}>Explain<//>`;
    },
  },
];

/** The trail of a payment on the page of the agent that received it, or else that paid it. */
const trailOf = ({ seq, from, to }: PaymentRow, { address, agents }: ViewParts): Address | null => {
  const item = [to, from].find((id) => id !== null && agents.has(id)) ?? null;
  const filter = { ...periodOf(address), payment: String(seq) };
  return item === null ? null : { ...address, view: "agents", item, filter };
};
