import type { HonoRequest } from "hono";
import { type PriceChange, rowAt, type Timeline, type TradeNetwork } from "../../figures/index.ts";
import { changesOf, moversOf, type PeriodChanges, runJumps, samplesOf } from "../../read/index.ts";
import type { Period } from "../../text/index.ts";
import type { Bounds } from "./reader/payment-index.ts";
import type { RunReader } from "./reader/run-reader.ts";
import { parsePeriod, type RunAnswer, type RunRoute, seqIn } from "./served-run.ts";

/** The period of a request, with its events. */
type RequestedPeriod = Period & { readonly bounds: Bounds };

/**
 * The asked period, up to the shown moment. An end that is missing is that of the run. If the
 * moment is before the period, the period has no events and `toMs < fromMs`.
 */
export const requestedPeriod = async (
  reader: RunReader,
  req: HonoRequest,
): Promise<RequestedPeriod> => {
  await reader.catchUp();
  const { index, journal, base, now } = reader;
  const asked = parsePeriod(req);
  const at = seqIn(req, "at");
  const upTo = at === null ? now.seq : (journal.transactionEnd(at) ?? at);
  const shownMs = upTo >= now.seq ? now.atMs : (rowAt(reader.journal, upTo)?.atMs ?? now.atMs);
  return {
    bounds: index.between({ ...asked, upTo }, journal),
    fromMs: Math.max(base.at_ms, asked.fromMs ?? base.at_ms),
    toMs: Math.min(shownMs, asked.toMs ?? shownMs),
  };
};

/** Tells a measure of a period from those of other periods. */
const measureName = (name: string, { bounds, fromMs, toMs }: RequestedPeriod): string =>
  `${name} ${bounds.first} ${bounds.last} ${fromMs} ${toMs}`;

const PAYMENTS_MAX = 8;

/** The largest payments of a period. */
const payments: RunAnswer = async ({ reader }, { req }) => {
  const { bounds } = await requestedPeriod(reader, req);
  return { payments: reader.payments.largest(bounds, PAYMENTS_MAX, reader.journal) };
};

const changesIn = ({ priceChanges }: RunReader, { first, last }: Bounds): readonly PriceChange[] =>
  priceChanges.filter(({ seq }) => seq >= first && seq <= last);

/** What changed between the ends of a period. */
const period: RunAnswer = async ({ reader }, { req }): Promise<PeriodChanges> => {
  const { bounds, fromMs, toMs } = await requestedPeriod(reader, req);
  const { index, journal, base } = reader;
  const { first, last } = bounds;
  // At the first moment of a run, its world is made.
  const madeSeq = index.firstSince(base.at_ms + 1, journal) - 1;
  const startSeq = Math.min(last, Math.max(first - 1, madeSeq));
  // One after the other, because each continues to count where the one before has stopped.
  const before = await reader.snapshot(Math.min(last, first - 1));
  const start = await reader.snapshot(startSeq);
  const end = await reader.snapshot(last);
  return {
    from_ms: fromMs,
    to_ms: toMs,
    ...changesOf({ before, start, end }),
    movers: moversOf({ start, end }, changesIn(reader, { first: startSeq + 1, last })),
  };
};

/** The samples that a chart of a period shows. */
const samplesIn = (
  { at_ms, wealth, price_index }: Timeline,
  period: Period,
): Pick<Timeline, "wealth" | "price_index"> => {
  const shownOf = samplesOf(period, at_ms);
  return {
    price_index: shownOf(price_index),
    wealth: wealth.map((line) => ({ ...line, scrip: shownOf(line.scrip) })),
  };
};

/** The large changes in the charts of the overview, if they show only a period. */
const jumps: RunAnswer = async ({ reader }, { req }) => {
  const asked = await requestedPeriod(reader, req);
  return await reader.measured(null, {
    name: measureName("jumps", asked),
    of: (meter) => {
      const found = reader.payments.jumps(asked.bounds);
      for (const { seq, amount } of changesIn(reader, asked.bounds)) {
        found.countPrice({ seq, at_ms: 0, amount });
      }
      return runJumps(reader.journal, found, samplesIn(meter.timeline(), asked));
    },
  });
};

/** The payments of a period between principals. */
export type PeriodTrade = {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly payments: number;
  readonly turnover: number;
  readonly network: TradeNetwork;
};

/** Answers with a `PeriodTrade`. */
const trade: RunAnswer = async ({ reader }, { req }) => {
  const asked = await requestedPeriod(reader, req);
  return await reader.measured(null, {
    name: measureName("trade", asked),
    of: (): PeriodTrade => {
      const graph = reader.payments.trade(asked.bounds);
      const network = graph.network(agentsAt(reader, asked.bounds.last));
      const { payments: count, turnover } = graph;
      return { from_ms: asked.fromMs, to_ms: asked.toMs, payments: count, turnover, network };
    },
  });
};

/** The ids of all agents that existed after event `seq`, by age. */
const agentsAt = ({ index, earlier, now }: RunReader, seq: number): readonly string[] => {
  const wanted = { kind: "agent_created", principal: null };
  const created = [...index.matching(wanted, { after: index.firstSeq - 1, upTo: seq })].length;
  return [...now.state.agents.rows()]
    .sort((a, b) => a.order - b.order)
    .slice(0, earlier.agents.size + created)
    .map(({ id }) => id);
};

export const PERIOD_ROUTES: readonly RunRoute[] = [
  ["/payments", payments],
  ["/period", period],
  ["/jumps", jumps],
  ["/trade", trade],
];
