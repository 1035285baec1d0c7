import { isObject } from "../kernel/index.ts";
import type { Journal } from "./journal/index.ts";
import type { Request } from "./request.ts";
import { decodeJson } from "./wire-codec.ts";

/** By these a world and its first inhabitants are made, before anybody acts. */
const OPENING: ReadonlySet<unknown> = new Set<Request["kind"]>([
  "create_world",
  "install_artifact",
  "create_agent",
]);

/**
 * The event with which the world of a journal is whole: all that it begins with is there. The last
 * event so far where it is still being made; where the journal goes on from a state, the event of
 * that.
 */
export const endOfOpening = (journal: Journal): number => {
  let end = journal.baseMark()?.seq ?? 0;
  if (end > 0) return end;
  for (const { firstSeq, lastSeq, command } of journal.transactions()) {
    // The first one is a note that the run has started.
    if (firstSeq > 1 && !OPENING.has(kindOf(command))) break;
    end = lastSeq;
  }
  return end;
};

const kindOf = (command: string): unknown => {
  const request = decodeJson(command);
  return isObject(request) ? request.kind : null;
};
