import { asId, VIEW_BOUNDS, viewOf } from "../../kernel/index.ts";
import type { Journal } from "../journal/index.ts";
import { playOn, type ReplayPoint, restore } from "../replay/replay.ts";
import { carriedBy, type OpenThought } from "./checkpoint.ts";

/**
 * Returns the thoughts in progress after event `seq`, in the order in which they started. `state`
 * is the state after event `seq`. The views come from replays of the journal, because a state does
 * not contain views. A run that was forked inherits the views of thoughts that started before.
 */
export const openThoughts = (
  journal: Journal,
  { state, seq }: Pick<ReplayPoint, "state" | "seq">,
): readonly OpenThought[] => {
  const open = new Map<string, number>();
  for (const { id, thinking } of state.agents.rows()) {
    if (thinking !== null) open.set(id, thinking.sinceMs);
  }
  if (open.size === 0) return [];
  const inherited = carriedBy(journal.baseMark()).thoughts.filter(
    ({ agent, view }) => open.get(agent) === view.now,
  );
  for (const { agent } of inherited) open.delete(agent);
  return [...inherited, ...replayedThoughts(journal, open, seq)];
};

function* replayedThoughts(
  journal: Journal,
  open: Map<string, number>,
  upTo: number,
): Iterable<OpenThought> {
  const sinceMs = Math.min(...open.values());
  let place: ReplayPoint | null = null;
  for (const row of journal.events({ upTo, sinceMs, kind: "thought_started" })) {
    const agent = row.principal;
    if (agent === null || open.get(agent) !== row.atMs) continue;
    place =
      place === null
        ? restore(journal, { upTo: row.seq })
        : playOn(journal, place, { upTo: row.seq });
    const id = asId(agent);
    const view = viewOf(place.state, id, { now: row.atMs, bounds: VIEW_BOUNDS });
    // The state plays on, so the view needs a copy.
    yield { agent: id, view: { ...view } };
  }
}
