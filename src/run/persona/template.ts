import { must } from "../../kernel/index.ts";
import { moduleKind } from "../../mind/index.ts";
import { shippedSettings } from "../config/index.ts";
import { kindOf, MIND_NAMES } from "../minds/kinds.ts";
import { keyDescription } from "./persona.ts";

/** Stands for a mind that is a module, in the persona's own folder. */
const FILE_MIND = "file";

export const TEMPLATE_MINDS: readonly string[] = [...MIND_NAMES, FILE_MIND];

type NewPersona = {
  readonly id: string;
  readonly mind: string;
  /** The relative path from the persona to the JSON Schema of `agent.yaml`. */
  readonly schema: string;
};

/** The files of a new, valid persona by file name. Commented-out lines show the defaults. */
export const personaFiles = async (
  persona: NewPersona,
): Promise<Readonly<Record<string, string>>> => {
  const { id, mind } = persona;
  const kind = mind === FILE_MIND ? moduleKind : must(kindOf(mind), `a mind of the list: ${mind}`);
  const { template } = await kind.load();
  const { text, files = {} } = template(mind, shippedSettings());
  return { "agent.yaml": `${headOf(persona)}\n${text.replaceAll("NAME", id)}`, ...files };
};

const headOf = ({ id, mind, schema }: NewPersona): string =>
  `# yaml-language-server: $schema=${schema}
description: A new ${nameOf(mind)} agent. # ${keyDescription("description")}

id: ${idText(id)} # ${keyDescription("id")}
enabled: true # ${keyDescription("enabled")}
#starting_scrip: 100 # ${keyDescription("starting_scrip")}
#compute: { lots: 0 } # ${keyDescription("compute")}
#review: actions # ${keyDescription("review")}

mind: ${mindText(mind)}`;

const mindText = (mind: string): string =>
  mind === FILE_MIND
    ? `${moduleKind.label} # a module that exports default { decide }`
    : `${mind} # one of ${MIND_NAMES.join(", ")}, or a path such as ${moduleKind.label}`;

const nameOf = (mind: string): string =>
  mind === "llm"
    ? "language-model"
    : mind.replace("file", "custom").replace("policy/", "").replaceAll("_", " ");

/** Puts quotes around an id such as 007 or null. Without quotes, YAML would not read it as text. */
const idText = (id: string): string => (/^[A-Za-z]/.test(id) && !isWord(id) ? id : `"${id}"`);

const isWord = (id: string): boolean => ["null", "true", "false"].includes(id.toLowerCase());
