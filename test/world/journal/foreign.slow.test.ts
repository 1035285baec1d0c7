import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { emptyFolder, makeRun, sim } from "../../support/sim.ts";

it("a row that no run writes is refused in one line", () => {
  const folder = emptyFolder();
  makeRun(folder, { name: "shared", seconds: 5 }, "--only", "ada");
  const database = new DatabaseSync(join(folder, "runs/shared/journal.db"));
  database.exec(`UPDATE events SET body = hex(zeroblob(251000000)) WHERE seq = 3`);
  database.close();
  for (const verb of ["report", "verify"]) {
    const refused = sim(folder, verb, "shared");
    expect(refused.code).not.toBe(0);
    const said = refused.out + refused.err;
    expect(said).toMatch(/journal\.db/);
    expect(said).not.toMatch(/bug in catallaxy/);
  }
});
