import { z } from "zod";
import {
  type InstalledFields,
  isObject,
  type Recipients,
  type ScheduledAgent,
  type ScheduledChange,
  type ScheduledEntry,
} from "../../kernel/index.ts";
import { ownReviewTerms } from "./row-schemas.ts";
import {
  amount,
  amounts,
  byName,
  checked,
  either,
  id,
  json,
  jsonObject,
  list,
  oneOf,
  record,
  text,
} from "./schema.ts";

const recipients = either<Recipients>("ids or all", [z.literal("all"), list(id)]);

const given = amounts("scrip", "llm_budget_micros");

/** The fields that an entry of the schedule can set. */
const INSTALLED = new Map<string, z.ZodType<unknown>>([
  ["type", text],
  ["content", text],
  ["code", text],
  ["price", amount],
  ["read_price", amount],
  ["interface", json],
  ["has_standing", z.literal(true)],
]);

const isInstalled = ([name, value]: readonly [string, unknown]): boolean =>
  INSTALLED.get(name)?.safeParse(value).success === true;

const fields = checked<InstalledFields>(
  (value) => isObject(value) && Object.entries(value).every(isInstalled),
  "the fields of an artifact",
);

const agent = record<ScheduledAgent>({
  id,
  content: text,
  workspace: text.exactOptional(),
  group: text.nullable(),
  contacts: list(id).exactOptional(),
  values: byName(amount),
  scrip: amount,
  standing: record({ lots: amount, limit_price: amount.nullable() }).nullable(),
  review: record(ownReviewTerms).exactOptional(),
  starts_after_ms: amount,
});

const change = either<ScheduledChange>("a known change", [
  record({ kind: oneOf(["set"]), settings: jsonObject }),
  record({ kind: oneOf(["mint"]), to: recipients, ...given }),
  record({ kind: oneOf(["take"]), from: recipients, ...given }),
  record({ kind: oneOf(["install"]), id, owner: id.nullable(), fields }),
  record({ kind: oneOf(["pause", "resume", "remove"]), agent: id }),
  record({ kind: oneOf(["add"]), agent }),
]);

export const scheduledEntry = record<ScheduledEntry>({ at_ms: amount, change });
