import { BUILT_IN_MEANING } from "../../kernel/index.ts";
import { type Described, partsOf, type Setting, section, signatureOf } from "./page.ts";

/** Parts that have their methods on a page of their own. */
const TOLD_ON: ReadonlyMap<string, string> = new Map([
  ["genesis_mint", "handbook_mint"],
  ["genesis_escrow", "handbook_trading"],
  ["genesis_debt_contract", "handbook_trading"],
  ["genesis_voting", "handbook_coordination"],
  ["genesis_board", "handbook_coordination"],
]);

export const genesis = (setting: Setting): string => {
  const parts = partsOf(setting).map((part) => {
    const page = TOLD_ON.get(part.id);
    return page === undefined ? section(setting, part) : brief(part, page);
  });
  return `# The artifacts the world begins with
Invoke them like any other. genesis_store.get_interface(id) gives the arguments and examples of each
method; the world's own also answer describe().
${parts.join("\n")}${libraryNote(setting)}
## Access contracts
${[...BUILT_IN_MEANING].map(([id, meaning]) => `- ${id}: ${meaning}.`).join("\n")}
Any artifact whose code defines check_permission({caller, verb, target, owner, method, args}) can
be one; it returns {allowed, reason?, cost?, payer?, recipient?}.
`;
};

const brief = (part: Described, page: string): string =>
  `## ${part.id}
${part.description}
Methods, on ${page}: ${part.methods.map(signatureOf).join(", ")}.
`;

const libraryNote = ({ library }: Setting): string => {
  if (library.length === 0) return "";
  const ids = library.map(({ id }) => id).join(", ");
  return `
Ordinary programs without any privilege are ${ids}:
read their code to learn from it, or write a better one.
`;
};
