import type { Address } from "./address.ts";
import type { ViewParts } from "./views.ts";

/** The query for the moment that is shown, to stand behind a `?` or an `&`. */
export const atQuery = ({ at }: Pick<Address, "at">): string => (at === null ? "" : `at=${at}`);

/** What changes when there is something new to ask for: nothing does in the past. */
export const versionOf = ({ address, tick }: Pick<ViewParts, "address" | "tick">): number =>
  address.at ?? tick.seq;
