import type { UserMind } from "catallaxy";
import { call, type Kind, lotAt, SETTLING_MS, sleepUntil } from "./times.ts";

type Memory = { readonly made: number; readonly opened: number; readonly ended: number };

/** The rules of each kind of auction: the arguments of `open`. */
const TERMS: { readonly [kind in Kind]: readonly number[] } = {
  // The reserve and the time for bids.
  sealed: [1, 40],
  // The first bid, the step, the time for bids, and the time after a late bid.
  english: [1, 40, 60, 15],
  // The first price, the last one, the step, and the time of a step.
  dutch: [1_000, 1, 10, 2],
};

/** Sells one artifact of its own in each lot. */
const mind: UserMind = {
  decide({ view, memory: saved, settings }) {
    const kind = settings.kind as Kind;
    const house = String(settings.house);
    const memory = (saved as Memory | null) ?? { made: 0, opened: 0, ended: 0 };
    const { lot, since } = lotAt(view.now);
    const artifact_id = `${view.id}_${lot + 1}`;
    if (memory.made <= lot) {
      const action = { write_artifact: { artifact_id, content: `lot ${lot + 1}` } };
      return { action, memory: { ...memory, made: lot + 1 } };
    }
    if (memory.opened <= lot) {
      const open = { ...call(house, "open", TERMS[kind]), attach: { artifacts: [artifact_id] } };
      const sleep = sleepUntil(view.now, lot, SETTLING_MS);
      return { action: { invoke_artifact: open }, sleep, memory: { ...memory, opened: lot + 1 } };
    }
    const sleep = sleepUntil(view.now, lot + 1, 0);
    if (memory.ended <= lot && since >= SETTLING_MS) {
      const end = call(house, kind === "dutch" ? "withdraw" : "settle", [lot + 1]);
      return { action: { invoke_artifact: end }, sleep, memory: { ...memory, ended: lot + 1 } };
    }
    return { action: { noop: {} }, sleep, memory };
  },
};

export default mind;
