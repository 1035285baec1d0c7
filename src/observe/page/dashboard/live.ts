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

/** Follows a run for as long as it is looked at. */
export const useLive = (run: string | null): Live => {
  const [live, setLive] = useState<Live>(NOTHING);
  useEffect(() => {
    setLive(NOTHING);
    if (run === null) return;
    const source = new EventSource(`/api/runs/${encodeURIComponent(run)}/live`);
    source.addEventListener("tick", ({ data }) => {
      setLive({ tick: JSON.parse(data), isConnected: true, isOver: false });
    });
    source.addEventListener("end", () => {
      source.close();
      setLive((before) => ({ ...before, isOver: true }));
    });
    source.addEventListener("error", () => {
      setLive((before) => ({ ...before, isConnected: false }));
    });
    return () => source.close();
  }, [run]);
  return live;
};
