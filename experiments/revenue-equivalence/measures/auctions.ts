import type { MeasuredRun } from "catallaxy";

type Ended = { readonly n: number; readonly price: number | null };

/** The highest value that a bidder can draw, in scrip. */
const VALUE_MAX = 1_000;

/**
 * The mean price of the lots that an auction house has handed over, in percent of the highest
 * possible value. A lot without a bid counts as 0. Null if there was no lot.
 */
export const meanRevenue = ({ events }: MeasuredRun, house: string): number | null => {
  const lots = new Map<number, number>();
  for (const { event } of events()) {
    if (event.kind !== "artifact_state_changed" || event.artifact_id !== house) continue;
    const { ended = [] }: { readonly ended?: readonly Ended[] } = JSON.parse(event.state);
    for (const { n, price } of ended) lots.set(n, price ?? 0);
  }
  const prices = [...lots.values()];
  if (prices.length === 0) return null;
  return (100 * prices.reduce((sum, price) => sum + price, 0)) / prices.length / VALUE_MAX;
};
