import { DatabaseSync } from "node:sqlite";
import { memoized } from "../../kernel/index.ts";

/** All that a database defines, as text. */
const definitionsIn = (database: DatabaseSync): string =>
  JSON.stringify(
    database
      .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
      .all(),
  );

const definitionsOf = memoized((sql: string): string => {
  const database = new DatabaseSync(":memory:");
  database.exec(sql);
  const definitions = definitionsIn(database);
  database.close();
  return definitions;
});

/**
 * Whether a database has what these statements define, and nothing else. A view or a trigger in a
 * file of somebody else could answer with anything, or never.
 */
export const definesOnly = (database: DatabaseSync, sql: string): boolean =>
  definitionsIn(database) === definitionsOf(sql);
