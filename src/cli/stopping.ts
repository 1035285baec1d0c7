import { exitCodeOf } from "./exit-code.ts";
import type { Shell } from "./shell.ts";

/** How somebody outside ends a run: by one signal well, by a second one at once. */
export type Stopping = {
  /** Calls `stop` when a signal comes, or now where one has come already. */
  readonly on: (stop: () => void) => void;
  readonly end: () => void;
};

/** Listens from now on: a signal while a run is being made must not leave half of it behind. */
export const listenForStop = ({ onSignal, endWith, endNow }: Shell): Stopping => {
  let stop: (() => void) | null = null;
  let isAsked = false;
  const end = onSignal((signal, times) => {
    endWith(exitCodeOf(signal));
    if (times > 1) endNow();
    isAsked = true;
    stop?.();
  });
  return {
    on: (given) => {
      stop = given;
      if (isAsked) given();
    },
    end,
  };
};
