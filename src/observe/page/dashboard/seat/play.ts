import { useEffect, useRef, useState } from "preact/hooks";
import type { SeatCommand, SeatLook, SeatOutcome } from "../../../dashboard/index.ts";
import { sendSeatCommand } from "../api.ts";

export type SeatPlace = { readonly run: string; readonly agent: string };

/** A seat as its page shows it, and what its player can do. */
export type Play = {
  readonly look: SeatLook | null;
  /** Why the page cannot show the seat as it is now, or null. */
  readonly problem: string | null;
  /** What the last move has done. */
  readonly outcome: SeatOutcome | null;
  /** Why the last move was not made, or null. */
  readonly refusal: string | null;
  /** True until the last move has ended. */
  readonly isBusy: boolean;
  /** Makes a move. Returns whether it had an effect. */
  readonly move: (command: SeatCommand) => Promise<boolean>;
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
  const [ended, setEnded] = useState<Pick<Play, "outcome" | "refusal">>(NOTHING);
  const [current, setCurrent] = useState<AbortController | null>(null);
  const send = async <Value>(
    command: SeatCommand,
    show: (value: Value) => Pick<Play, "outcome" | "refusal">,
  ): Promise<Value | null> => {
    const over = new AbortController();
    setCurrent(over);
    setEnded(NOTHING);
    const answer = await sendSeatCommand<Value>(place, command, over.signal);
    setCurrent(null);
    const isCancelled = over.signal.aborted;
    if (answer.value !== null) setEnded(show(answer.value));
    else setEnded({ outcome: null, refusal: isCancelled ? "cancelled" : answer.problem });
    lookAgain();
    return answer.value;
  };
  return {
    look,
    problem,
    ...ended,
    isBusy: current !== null,
    move: async (command) => {
      const outcome = await send<SeatOutcome>(command, (outcome) => ({ outcome, refusal: null }));
      return outcome?.success === true;
    },
    wait: async (seconds) => {
      await send<object>({ kind: "wait", seconds }, () => NOTHING);
    },
    cancel: () => current?.abort(),
  };
};

const NOTHING = { outcome: null, refusal: null };

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
