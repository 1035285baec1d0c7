import { useEffect, useRef, useState } from "preact/hooks";
import { capitalised, WOKE } from "../../../../text/index.ts";
import type { PlayedOutcome, SeatCommand, SeatLook } from "../../../dashboard/index.ts";
import { sendSeatCommand } from "../core/api.ts";

export type SeatPlace = { readonly run: string; readonly agent: string };

/** What the last move or wait has done. */
type MoveEnd =
  | { readonly kind: "outcome"; readonly outcome: PlayedOutcome }
  /** A move that was not made. */
  | { readonly kind: "problem"; readonly text: string }
  | { readonly kind: "note"; readonly text: string };

/** A seat as its page shows it, and what its player can do. */
export type Play = {
  readonly look: SeatLook | null;
  /** Why the page cannot show the seat as it is now, or null. */
  readonly problem: string | null;
  /** Null before the first move, and while a move is on its way. */
  readonly end: MoveEnd | null;
  readonly isBusy: boolean;
  /** True if the player cannot move now: a move is on its way, or the run is not live. */
  readonly isOff: boolean;
  /** Makes a move. Returns what it has done, or null if it had no effect. */
  readonly move: (command: SeatCommand) => Promise<PlayedOutcome | null>;
  /** Lets time pass, until a message arrives. */
  readonly wait: (seconds: number) => Promise<void>;
  /** Takes back a move that has not begun, or ends a wait. */
  readonly cancel: () => void;
};

/** What each part of the page gets. */
export type SeatParts = { readonly look: SeatLook; readonly play: Play };

/** The pause between two looks. On the virtual clock, a look waits until the seat is to move. */
const LOOK_EVERY_MS = 2_000;

export const usePlay = (place: SeatPlace): Play => {
  const { look, problem, lookAgain } = useLook(place);
  const [end, setEnd] = useState<MoveEnd | null>(null);
  const [current, setCurrent] = useState<AbortController | null>(null);
  const send = async <Value>(
    command: SeatCommand,
    show: (value: Value) => MoveEnd,
  ): Promise<Value | null> => {
    const over = new AbortController();
    setCurrent(over);
    setEnd(null);
    const { value, problem: why } = await sendSeatCommand<Value>(place, command, over.signal);
    setCurrent(null);
    if (value !== null) setEnd(show(value));
    else if (over.signal.aborted) setEnd({ kind: "note", text: "cancelled" });
    else setEnd({ kind: "problem", text: why ?? "" });
    lookAgain();
    return value;
  };
  // The page says above its parts that the run is not live.
  useEffect(() => {
    if (problem !== null) setEnd(null);
  }, [problem]);
  const isBusy = current !== null;
  return {
    look,
    problem,
    end,
    isBusy,
    isOff: isBusy || problem !== null,
    move: async (command) => {
      const show = (outcome: PlayedOutcome): MoveEnd => ({ kind: "outcome", outcome });
      const outcome = await send<PlayedOutcome>(command, show);
      return outcome?.success === true ? outcome : null;
    },
    wait: async (seconds) => {
      const show = ({ woke }: Awoken): MoveEnd => ({
        kind: "note",
        text: `${capitalised(WOKE[woke])}.`,
      });
      await send<Awoken>({ kind: "wait", seconds }, show);
    },
    cancel: () => current?.abort(),
  };
};

type Awoken = { readonly woke: keyof typeof WOKE };

/** Looks every few seconds, and at once after a move. */
const useLook = (place: SeatPlace) => {
  const [shown, setShown] = useState<Pick<Play, "look" | "problem">>({ look: null, problem: null });
  const wake = useRef((): void => {});
  useEffect(() => {
    const over = new AbortController();
    const follow = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const { value, problem } = await sendSeatCommand<SeatLook>(
          place,
          { kind: "look" },
          over.signal,
        );
        if (over.signal.aborted) return;
        setShown((before) => ({ look: value ?? before.look, problem }));
        const pause = Promise.withResolvers<void>();
        wake.current = pause.resolve;
        const timer = setTimeout(pause.resolve, LOOK_EVERY_MS);
        await pause.promise;
        clearTimeout(timer);
      }
    };
    void follow();
    return () => {
      over.abort();
      wake.current();
    };
  }, [place.run, place.agent]);
  return { ...shown, lookAgain: () => wake.current() };
};
