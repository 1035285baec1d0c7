import { customerKey, flowKey, grantKey, isList } from "../../kernel/index.ts";
import { agent, sleeper } from "./agent-shapes.ts";
import { artifact, customer, history, offer, trade } from "./artifact-shapes.ts";
import { account, flow, grant, hold, usage } from "./books-shapes.ts";
import { score, submission, task } from "./mint-shapes.ts";
import { fits, id, quoted, type Shape } from "./shape.ts";
import { TABLES } from "./state-codec.ts";
import { worldRow } from "./world-shape.ts";

/**
 * A list of rows as a state is written down: `[key, row]` each, in the order of their keys. A row
 * stands under the key that it names itself; where it names none, under an id.
 */
const table = <Row>(shape: Shape<Row>, keyOf: ((row: Row) => string) | null): Shape<unknown> => {
  return (rows) => {
    if (!isList(rows)) return " is missing or no list of rows";
    let before: string | null = null;
    for (const entry of rows) {
      const [key, row] = isList(entry) && entry.length === 2 ? entry : [null, null];
      if (typeof key !== "string") return " has a row that is none";
      if (!fits(shape, row)) return `: ${quoted(key)}${shape(row) ?? ""}`;
      const own = keyOf === null ? id(key) === null : keyOf(row) === key;
      if (!own) return `: ${quoted(key)} is not the key of its row`;
      if (before !== null && before >= key)
        return `: ${quoted(key)} stands behind ${quoted(before)}`;
      before = key;
    }
    return null;
  };
};

const TABLE_SHAPES: { readonly [Name in (typeof TABLES)[number]]: Shape<unknown> } = {
  families: table(id, null),
  world: table(worldRow, () => "world"),
  accounts: table(account, (row) => row.id),
  usages: table(usage, null),
  holds: table(hold, (row) => row.id),
  artifacts: table(artifact, (row) => row.id),
  trades: table(trade, null),
  customers: table(customer, (row) => customerKey(row.artifact, row.principal)),
  histories: table(history, (row) => row.artifact),
  offers: table(offer, (row) => row.artifact),
  agents: table(agent, (row) => row.id),
  submissions: table(submission, (row) => row.artifact),
  scores: table(score, (row) => row.artifact),
  tasks: table(task, (row) => row.id),
  grants: table(grant, (row) => grantKey(row.grantor, row.contract)),
  flows: table(flow, (row) => flowKey(row.from, row.to)),
  sleepers: table(sleeper, (row) => row.agent),
};

const NAMES: ReadonlySet<string> = new Set([...TABLES, "version"]);

/** What keeps a record from being a state of the present version as it is written down, or null. */
export const tablesFault = (given: Readonly<Record<string, unknown>>): string | null => {
  for (const name of TABLES) {
    const wrong = TABLE_SHAPES[name](given[name]);
    if (wrong !== null) return `its table "${name}"${wrong}`;
  }
  const unknown = Object.keys(given).find((name) => !NAMES.has(name));
  return unknown === undefined ? null : `it has a table ${quoted(unknown)}, which nothing knows`;
};
