import type { Supply } from "../account.ts";
import type { PublicEvent } from "../chronicle.ts";
import type { EventKind } from "../event.ts";
import { EVENT_KINDS } from "../event-kinds.ts";
import type { Whole } from "../state.ts";
import { auctionResult } from "./mint-shapes.ts";
import { physics } from "./physics-shape.ts";
import {
  amount,
  finite,
  id,
  integer,
  leaf,
  list,
  listOf,
  nullable,
  record,
  text,
} from "./shape.ts";

const kind = leaf<EventKind>(
  (value) => typeof value === "string" && Object.hasOwn(EVENT_KINDS, value),
  "kind of event",
);

const publicEvent = record<PublicEvent>({
  n: amount,
  at_ms: amount,
  kind,
  principal: nullable(id),
  target: nullable(text),
  other: nullable(text),
  amount: nullable(finite),
  code: nullable(text),
});

/** As it is written down: its chronicle as a plain list, and its secret as a list of two words. */
type WrittenWhole = Omit<Whole, "chronicle" | "secret"> & {
  readonly chronicle: readonly PublicEvent[];
  readonly secret: readonly number[];
};

const WORDS_OF_PRNG = 4;
const WORDS_OF_SECRET = 2;

export const whole = record<WrittenWhole>({
  physics,
  now: amount,
  supply: record<Supply>({ endowed: amount, minted: amount, burned: amount }),
  prng: listOf(WORDS_OF_PRNG, integer),
  secret: listOf(WORDS_OF_SECRET, integer),
  chronicle: list(publicEvent),
  publicEvents: amount,
  artifactsMade: amount,
  codesWritten: amount,
  holdsMade: amount,
  agentsMade: amount,
  auctions: amount,
  auctionResults: list(auctionResult),
  bidsMade: amount,
  tasksMade: amount,
  tasksOffered: list(text),
});
