/** The auctions follow one timetable: lot k + 1 is for sale from k times this time on. */
export const LOT_MS = 240_000;
/** When, in the time of a lot, bidders begin, when sealed bids are opened, and when all is over. */
export const BIDDING_MS = 5_000;
export const OPENING_MS = 60_000;
export const SETTLING_MS = 215_000;

export type Kind = "sealed" | "english" | "dutch";

/** The number of the lot that is for sale, from 0, and the time since its start. */
export const lotAt = (now: number) => {
  const lot = Math.floor(now / LOT_MS);
  return { lot, since: now - lot * LOT_MS };
};

/** A sleep until a time of a lot. */
export const sleepUntil = (now: number, lot: number, ms: number) => ({
  for_s: Math.max(1, (lot * LOT_MS + ms - now) / 1_000),
});

export const call = (artifact_id: string, method: string, args: readonly number[] = []) => ({
  artifact_id,
  method,
  args: [...args],
});
