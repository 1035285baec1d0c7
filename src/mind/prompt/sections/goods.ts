import { type InterfaceMethod, isObject, type Offering } from "../../../kernel/index.ts";
import type { PromptSettings } from "../../settings.ts";
import { oneLine } from "../fence.ts";
import type { Section } from "../section.ts";

/** How much is said of each artifact. */
type Detail = PromptSettings["detail_level"];

const DESCRIPTION_CHARS = { minimal: 60, standard: 160, verbose: 400 } as const;
const METHODS_MAX = { minimal: 0, standard: 4, verbose: 12 } as const;
const SCHEMA_CHARS = 300;
const TYPE_CHARS = 30;

const terms = ({ executable, price, read_price }: Offering): string =>
  [executable ? `call ${price}` : null, read_price > 0 ? `read ${read_price}` : null]
    .filter((term) => term !== null)
    .join(", ");

/** What it has earned and how often, so that one can tell the used from the useless. */
const record = ({ calls, calls_by_others, failures, revenue }: Offering): string =>
  calls === 0
    ? "never called"
    : `${calls} calls, ${calls_by_others} by others, ${failures} failed, earned ${revenue}`;

const signature = (method: InterfaceMethod, detail: Detail): string => {
  const { properties, required } = method.input_schema;
  const needed = Array.isArray(required) ? required : [];
  const args = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const type = isObject(schema) && typeof schema.type === "string" ? `: ${schema.type}` : "";
    return `${name}${needed.includes(name) ? "" : "?"}${type}`;
  });
  const shown = `${method.name}(${args.join(", ")})`;
  if (detail !== "verbose") return shown;
  const [example] = method.examples ?? [];
  const shows = example === undefined ? "" : ` e.g. ${JSON.stringify(example)}`;
  return `${shown}: ${method.description}${shows}`;
};

/** One artifact on one line; with its methods below it where the level of detail has them. */
const offeringLines = (offering: Offering, detail: Detail, owner: string): readonly string[] => {
  const about = oneLine(offering.description, DESCRIPTION_CHARS[detail]);
  const facts = [
    `${oneLine(offering.type, TYPE_CHARS)}${owner}`,
    terms(offering),
    record(offering),
  ];
  const head = `- ${offering.id} (${facts.filter((fact) => fact !== "").join("; ")})`;
  const line = about === "" ? head : `${head}: ${about}`;
  const methods = (offering.interface?.methods ?? []).slice(0, METHODS_MAX[detail]);
  if (methods.length === 0) {
    const names = offering.methods.slice(0, METHODS_MAX[detail]).join(", ");
    return [names === "" || names === "run" ? line : `${line} [methods: ${names}]`];
  }
  return [line, ...methods.map((each) => `    ${oneLine(signature(each, detail), SCHEMA_CHARS)}`)];
};

export const ownArtifacts: Section = {
  name: "own_artifacts",
  title: "Your artifacts",
  priority: 85,
  tokensMax: 600,
  keeps: "start",
  // What was bought or given still says what others made it say.
  foreign: true,
  lines: ({ view, settings }) =>
    view.owned.length === 0
      ? ["none yet"]
      : view.owned.flatMap((each) => offeringLines(each, settings.detail_level, "")),
};

export const market: Section = {
  name: "market",
  title: "The market: artifacts of others that you can call",
  priority: 82,
  tokensMax: 1_200,
  keeps: "start",
  foreign: true,
  lines: ({ view, settings }) =>
    settings.see_others
      ? view.market.flatMap((each) =>
          offeringLines(each, settings.detail_level, ` of ${each.owner}`),
        )
      : [],
};

export const offers: Section = {
  name: "offers",
  title: "Offered to you; genesis_ledger.accept takes it",
  priority: 62,
  tokensMax: 150,
  keeps: "start",
  foreign: true,
  lines: ({ view, settings }) =>
    view.offers.flatMap((each) => offeringLines(each, settings.detail_level, ` of ${each.owner}`)),
};

export const principals: Section = {
  name: "principals",
  title: "Who else has an account",
  priority: 35,
  tokensMax: 150,
  keeps: "start",
  foreign: false,
  lines: ({ view, settings }) =>
    settings.see_others && view.principals.length > 0 ? [view.principals.join(", ")] : [],
};
