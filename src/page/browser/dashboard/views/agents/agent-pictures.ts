import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import type { AgentOverTime } from "../../../../routes/index.ts";
import { ChartPanel, lineChart } from "../../../charts/index.ts";
import { Panel, Pending } from "../../../parts/parts.ts";
import { type Column, Table } from "../../../parts/table.ts";
import { signedText } from "../../../parts/text.ts";
import type { Address } from "../../address.ts";
import {
  ArtifactLink,
  jumpAt,
  MomentLink,
  PrincipalLink,
  useMoment,
  type ViewParts,
} from "../../view.ts";
import { periodQuery, periodText } from "../period.ts";

type PictureParts = {
  readonly agentPath: string;
  readonly parts: ViewParts;
  /** Opens the trail of a payment, given by its event. */
  readonly explain: (seq: number) => void;
};

/** The wealth, the income and the model budget of an agent over time, with its largest payments. */
const NET_NOTE = "Sales and loans are less what the agent gave to the escrow and for loans.";

export const AgentPictures = ({ agentPath, parts, explain }: PictureParts) => {
  const query = periodQuery(parts);
  const path = `${agentPath}/history?${query ?? ""}`;
  const { value, problem } = useMoment<AgentOverTime>(path, parts);
  const when = value === null || query === null ? null : periodText(value.period);
  const specs = useMemo(() => value && specsOf(value, when, parts.address), [value]);
  if (value === null || specs === null) return html`<${Pending} problem=${problem} />`;
  return html`
    <div class="pictures is-of-one">
      ${specs.map(
        (spec, at) => html`<${ChartPanel} key=${spec.title} make=${lineChart} spec=${spec}
          wide=${at === 0} />`,
      )}
      <div class="is-wide">
        <${Payments} payments=${value.payments} when=${when} parts=${parts} explain=${explain} />
      </div>
    </div>
  `;
};

const BARS_NOTE = "The bars are the largest payments: up if received, down if given.";

const specsOf = (history: AgentOverTime, when: string | null, address: Address) => {
  const { at_ms, wealth, budget_micros, income, payments, jumps } = history;
  const caption = when === null ? {} : { jumpsWhen: when };
  return [
    {
      title: "Wealth",
      note: `Free and held scrip. ${BARS_NOTE}`,
      unit: "scrip",
      atMs: at_ms,
      ...caption,
      jumps: jumps.wealth.map((jump) => jumpAt(jump, "wealth", address)),
      series: [
        { label: "wealth", values: wealth, style: "area" as const },
        { label: "largest payments", values: paidAt(at_ms, payments), style: "bars" as const },
      ],
    },
    {
      title: "Income by kind",
      note: `${income.length === 0 ? "None yet" : "The sum of each kind so far"}. ${NET_NOTE}`,
      unit: "scrip",
      top: 2,
      atMs: at_ms,
      series: income.map(({ source, scrip }) => ({ label: source, values: scrip })),
    },
    {
      title: "Model budget",
      note: "What it can still spend on thoughts. The money is simulated.",
      unit: "USD",
      atMs: at_ms,
      ...caption,
      jumps: jumps.budget.map((jump) => jumpAt(jump, "budget", address)),
      series: [
        {
          label: "budget",
          values: budget_micros.map((micros) => (micros === null ? null : micros / 1e6)),
          style: "area" as const,
        },
      ],
    },
  ];
};

type Payment = AgentOverTime["payments"][number];

/** The sums of the payments at the values of a chart that come next. */
const paidAt = (atMs: readonly number[], payments: readonly Payment[]) => {
  const sums = new Map<number, number>();
  for (const { at_ms, amount } of payments) {
    const place = Math.max(
      0,
      atMs.findIndex((each) => each >= at_ms),
    );
    sums.set(place, (sums.get(place) ?? 0) + amount);
  }
  return atMs.map((_, place) => sums.get(place) ?? null);
};

type PaymentsParts = Pick<PictureParts, "parts" | "explain"> & {
  readonly payments: readonly Payment[];
  /** The part of the run, or null for all of it. */
  readonly when: string | null;
};

const Payments = ({ payments, when, parts, explain }: PaymentsParts) => {
  const columns: readonly Column<Payment>[] = [
    {
      title: "at",
      isNumber: true,
      cell: ({ seq, at_ms: atMs }) => MomentLink({ seq, atMs, parts }),
    },
    { title: "scrip", isNumber: true, cell: ({ amount }) => signedText(amount) },
    { title: "what", cell: ({ what }) => what },
    {
      title: "from or to",
      cell: ({ other: id }) => (id === null ? "the world" : PrincipalLink({ id, parts })),
    },
    { title: "for", cell: ({ artifact: id }) => (id === null ? "–" : ArtifactLink({ id, parts })) },
    {
      title: "why",
      cell: ({ seq }) => html`<button type="button" class="in-table"
        onClick=${() => explain(seq)}>Explain</button>`,
    },
  ];
  return html`
    <${Panel} title="Largest payments" note=${when === null ? undefined : `Payments ${when}.`}>
      <${Table} caption="Largest payments, in order of time" columns=${columns} rows=${payments} />
    <//>
  `;
};
