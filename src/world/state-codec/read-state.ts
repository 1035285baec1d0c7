import type { z } from "zod";
import {
  customerKey,
  firstLineOf,
  flowKey,
  grantKey,
  isList,
  isObject,
  parseId,
  type Result,
  type State,
  type TableName,
} from "../../kernel/index.ts";
import * as rows from "./row-schemas.ts";
import { amount, firstIssue, fits, id, quoted } from "./schema.ts";
import { decodeState, STATE_VERSION, TABLE_NAMES } from "./state-codec.ts";

export type StateRead = Result<{ state: State }>;

/** Reads a state, or returns why it cannot. `validateState` checks rows against each other. */
export const readState = (source: unknown): StateRead => {
  try {
    return decoded(typeof source === "string" ? JSON.parse(source) : source);
  } catch (error) {
    return { ok: false, problem: `the state cannot be read: ${firstLineOf(error)}; ${CURE}` };
  }
};

const CURE = "use an unchanged copy of it";

const decoded = (value: unknown): StateRead => {
  if (!isObject(value)) return refused("it is not a record");
  const problem = versionProblem(value) ?? tablesProblem(value);
  return problem === null ? { ok: true, state: decodeState(value) } : refused(problem);
};

const refused = (why: string): StateRead => ({
  ok: false,
  problem: `this is not the state of a world: ${why}; ${CURE}`,
});

const versionProblem = ({ version }: Readonly<Record<string, unknown>>): string | null =>
  version === STATE_VERSION
    ? null
    : `it has version ${JSON.stringify(version ?? null)}, and this program reads ${STATE_VERSION}`;

/** Returns what is wrong with a table, as the end of a sentence. Null if nothing is wrong. */
type TableCheck = (rows: unknown) => string | null;

/** Checks each `[key, row]` and the order of the keys. If `keyOf` is null, keys must be ids. */
const table = <Row>(schema: z.ZodType<Row>, keyOf: ((row: Row) => string) | null): TableCheck => {
  return (rows) => {
    if (!isList(rows)) return " is missing or not a list of rows";
    let before: string | null = null;
    for (const entry of rows) {
      const [key, row] = isList(entry) && entry.length === 2 ? entry : [null, null];
      if (typeof key !== "string") return " has an entry that is not a key and a row";
      if (!fits(schema, row)) return `: ${quoted(key)}${problemOf(schema, row)}`;
      const own = keyOf === null ? parseId(key) !== null : keyOf(row) === key;
      if (!own) return `: ${quoted(key)} is not the key of its row`;
      if (before !== null && before >= key) {
        return `: ${quoted(key)} comes after ${quoted(before)}`;
      }
      before = key;
    }
    return null;
  };
};

const problemOf = (schema: z.ZodType, row: unknown): string => {
  const { path, message } = firstIssue(schema, row);
  const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`));
  return `${place.join("")} ${message}`;
};

const TABLE_CHECKS: { readonly [Name in TableName]: TableCheck } = {
  families: table(id, null),
  world: table(rows.world, () => "world"),
  accounts: table(rows.account, (row) => row.id),
  usages: table(rows.usage, null),
  holds: table(rows.hold, (row) => row.id),
  artifacts: table(rows.artifact, (row) => row.id),
  trades: table(rows.trade, null),
  customers: table(rows.customer, (row) => customerKey(row.artifact, row.principal)),
  histories: table(rows.history, (row) => row.artifact),
  offers: table(rows.offer, (row) => row.artifact),
  agents: table(rows.agent, (row) => row.id),
  inboxes: table(rows.inbox, (row) => row.agent),
  mailboxes: table(rows.mailbox, (row) => row.owner),
  submissions: table(rows.submission, (row) => row.artifact),
  scores: table(rows.score, (row) => row.artifact),
  tasks: table(rows.task, (row) => row.id),
  grants: table(rows.grant, (row) => grantKey(row.grantor, row.contract)),
  flows: table(rows.flow, (row) => flowKey(row.from, row.to)),
  computeBids: table(rows.computeBid, (row) => row.bidder),
  standingOrders: table(rows.standingOrder, (row) => row.principal),
  reviewed: table(rows.reviewed, (row) => row.agent),
  proposals: table(rows.proposal, (row) => row.agent),
  sleepers: table(rows.sleeper, (row) => row.agent),
  memories: table(amount, null),
};

const NAMES: ReadonlySet<string> = new Set([...TABLE_NAMES, "version"]);

/** Returns what is wrong with the tables of a record, or null if they are valid. */
const tablesProblem = (given: Readonly<Record<string, unknown>>): string | null => {
  for (const name of TABLE_NAMES) {
    const problem = TABLE_CHECKS[name](given[name]);
    if (problem !== null) return `its table "${name}"${problem}`;
  }
  const unknown = Object.keys(given).find((name) => !NAMES.has(name));
  return unknown === undefined ? null : `it has an unknown table ${quoted(unknown)}`;
};
