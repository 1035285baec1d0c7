import { chained, chainedExamples } from "./pipeline.ts";
import type { Recipe, RunProgram } from "./recipe.ts";

/** An artifact of somebody's that does what the recipe says. */
export type Supplier = {
  readonly artifactId: string;
  readonly recipe: Recipe;
  /** The most that the front pays for one call. */
  readonly maxPriceScrip: number;
  /** What the supplier needs attached in order to pay suppliers of its own; 0 for most. */
  readonly purseScrip: number;
};

/** A front and what a caller has to attach to a call, so that the front can pay its suppliers. */
export type Front = { readonly recipe: Recipe; readonly purseScrip: number };

/**
 * A program that does nothing itself: it pays other agents' artifacts, one after the other, and
 * returns the last result. The first argument carries the flow; the first supplier gets all
 * arguments. When a supplier fails, the whole call fails with `supplier_failed` and nobody has been
 * paid. The suppliers' recipes must fit as in a pipeline, and the examples are found likewise.
 */
export function assemble(suppliers: readonly Supplier[], run?: RunProgram): Front {
  const stages = suppliers.map((supplier) => supplier.recipe);
  const purseScrip = suppliers.reduce((sum, each) => sum + each.maxPriceScrip + each.purseScrip, 0);
  const examples = chainedExamples(stages, run);
  const recipe = chained(stages, { namePrefix: "front_", code: frontCode(suppliers), examples });
  const description = `${recipe.description} Calls on others: attach ${purseScrip} scrip.`;
  const front = { ...recipe, description, interface: { ...recipe.interface, description } };
  return { recipe: front, purseScrip };
}

function frontCode(suppliers: readonly Supplier[]): string {
  const orders = suppliers.map((supplier, index) => {
    const input = index === 0 ? "input" : "[result]";
    const keyword = index === 0 ? "let " : "";
    const id = JSON.stringify(supplier.artifactId);
    return `  ${keyword}result = _order(${id}, ${input}, ${orderTerms(supplier)});`;
  });
  return `function run(...input) {
${orders.join("\n")}
  return result;
}

function _order(id, args, terms) {
  const { success, result, error } = kernel.invoke(id, "run", args, terms);
  if (!success) {
    const reason = typeof error === "string" ? error : JSON.stringify(error);
    kernel.fail("supplier_failed", \`\${id} failed: \${reason}\`);
  }
  return result;
}`;
}

function orderTerms({ purseScrip, maxPriceScrip }: Supplier): string {
  const attach = purseScrip > 0 ? `attach: { scrip: ${purseScrip} }, ` : "";
  return `{ ${attach}max_price: ${maxPriceScrip} }`;
}
