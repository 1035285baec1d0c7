import type { UserMind } from "catallaxy";

/** The time in which each player plays one round, at a random moment. */
const PERIOD_MS = 10_000;

/**
 * Joins the program `exchange` with all of its scrip, and then plays a round in each period. Without
 * the setting `percent`, it draws its percent from 0 to 99.
 */
const mind: UserMind = {
  decide({ view, memory, settings, random }) {
    const nextPeriod = 1 + Math.floor(view.now / PERIOD_MS);
    const due = (nextPeriod + random()) * PERIOD_MS;
    const sleep = { for_s: (due - view.now) / 1_000 };
    const call = { artifact_id: "exchange", args: [] };
    if (memory !== null) return { action: { invoke_artifact: { ...call, method: "play" } }, sleep };
    const percent = settings.percent ?? Math.floor(100 * random());
    const attach = { scrip: view.account.scrip };
    const join = { ...call, method: "join", args: [percent], attach };
    return { action: { invoke_artifact: join }, memory: "joined", sleep };
  },
};

export default mind;
