import { useEffect, useState } from "preact/hooks";
import type { Tick } from "../../dashboard/index.ts";

/** How it stands with a run, and whether that is still told. */
export type Live = {
  readonly tick: Tick | null;
  readonly isConnected: boolean;
  /** Whoever told of it has ended, and said so. */
  readonly isOver: boolean;
};

const NOTHING: Live = { tick: null, isConnected: true, isOver: false };

/**
 * Follows a run for as long as it is looked at: a browser gives all pages of a host six connections
 * together, so a tab in the background gives its own up.
 */
export const useLive = (run: string | null): Live => {
  const [live, setLive] = useState<Live>(NOTHING);
  useEffect(() => {
    setLive(NOTHING);
    if (run === null) return;
    let source: EventSource | null = null;
    const turn = (): void => {
      // A feed that has ended is not asked for again: there is nobody any more who would answer.
      if (source?.readyState === EventSource.CLOSED) return;
      if (document.hidden) {
        source?.close();
        source = null;
      } else source ??= feedOf(run, setLive);
    };
    turn();
    document.addEventListener("visibilitychange", turn);
    return () => {
      document.removeEventListener("visibilitychange", turn);
      source?.close();
    };
  }, [run]);
  return live;
};

const feedOf = (
  run: string,
  tell: (next: Live | ((before: Live) => Live)) => void,
): EventSource => {
  const source = new EventSource(`/api/runs/${encodeURIComponent(run)}/live`);
  source.addEventListener("tick", ({ data }) => {
    tell({ tick: JSON.parse(data), isConnected: true, isOver: false });
  });
  source.addEventListener("end", () => {
    source.close();
    tell((before) => ({ ...before, isOver: true }));
  });
  source.addEventListener("error", () => tell((before) => ({ ...before, isConnected: false })));
  return source;
};
