import { useEffect, useRef, useState } from "preact/hooks";
import type { Tick } from "../../../routes/index.ts";
import { type Address, go } from "../address.ts";
import { ask, type EventRow, useAnswer } from "../api.ts";

/** How long the slider must stay still before the page shows the selected moment. */
const SETTLE_MS = 120;

export type MomentParts = { readonly address: Address; readonly tick: Tick; readonly path: string };

type Place = Pick<EventRow, "seq" | "at_ms">;

/** The moment of the page, and the ways to open another one. */
export const useShownMoment = ({ address, tick, path }: MomentParts) => {
  const [held, setHeld] = useState<number | null>(null);
  /** The last event that was found for a time, so that the page need not ask for its time. */
  const [found, setFound] = useState<Place | null>(null);
  const timer = useRef(0);
  const asked = useRef(0);
  const current = useRef(address);
  current.current = address;
  const { at } = address;
  const isKnown = at === null || found?.seq === at;
  const { value: event } = useAnswer<EventRow>(isKnown ? null : `${path}/events/${at}`);
  const place = found?.seq === at ? found : event?.seq === at ? event : null;
  const openEvent = (seq: number | null): void => {
    asked.current += 1;
    clearTimeout(timer.current);
    setHeld(null);
    const to = seq === null || seq >= tick.seq ? null : Math.max(tick.first_seq, seq);
    go({ ...current.current, at: to }, "replace");
  };
  /** Opens the place of a moment such as `300s`. Returns why not, or null. */
  const openTyped = async (text: string): Promise<string | null> => {
    asked.current += 1;
    const own = asked.current;
    const { value, problem } = await ask<Place>(`${path}/moment?at=${encodeURIComponent(text)}`);
    // Another moment was asked for in the meantime.
    if (own !== asked.current) return null;
    if (value === null) return problem;
    setFound(value);
    openEvent(value.seq);
    return null;
  };
  const openTime = async (ms: number): Promise<void> => {
    if (ms >= tick.at_ms) openEvent(null);
    else await openTyped(`${Math.max(tick.first_ms, Math.round(ms))}ms`);
  };
  const hold = (ms: number): void => {
    setHeld(ms);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void openTime(ms), SETTLE_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const lastMs = useRef(tick.at_ms);
  lastMs.current = held ?? (at === null ? tick.at_ms : (place?.at_ms ?? lastMs.current));
  return {
    ...{ openEvent, openTyped, openTime, hold },
    shownMs: lastMs.current,
    seq: at ?? tick.seq,
    isPast: at !== null || held !== null,
  };
};
