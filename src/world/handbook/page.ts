import {
  type Interface,
  type InterfaceMethod,
  interfaceOf,
  isObject,
  type NativeArtifact,
  type Physics,
} from "../../kernel/index.ts";

/** A handbook page for agents. The page is generated from the tables that the code uses. */
export type Page = { readonly id: string; readonly text: string };

export type Setting = {
  readonly physics: Physics;
  readonly natives: readonly NativeArtifact[];
  /** The programs of the standard library. */
  readonly library: readonly { readonly id: string; readonly interface: Interface }[];
  /** The mechanisms that the world starts with. */
  readonly mechanisms: readonly Described[];
};

export type Described = {
  readonly id: string;
  readonly description: string;
  readonly methods: readonly Pick<
    InterfaceMethod,
    "name" | "description" | "input_schema" | "examples"
  >[];
};

export const partsOf = ({
  physics,
  natives,
  library: documents,
}: Setting): readonly Described[] => [
  ...natives.map((native) => ({ id: native.id, ...interfaceOf(native, physics) })),
  ...documents.map(({ id, interface: declared }) => ({ id, ...declared })),
];

export const partOf = (setting: Setting, id: string): Described | undefined =>
  partsOf(setting).find((part) => part.id === id);

/** One line for each method: its signature, cost and description. */
export const methodLines = ({ physics }: Setting, { id, methods }: Described): string => {
  const costs = physics.genesis.costs[id] ?? {};
  return methods
    .map((method) => {
      const cost = costs[method.name] ?? 0;
      const price = cost > 0 ? ` costs ${cost} scrip` : "";
      return `- ${signatureOf(method)}${price}: ${method.description}\n`;
    })
    .join("");
};

/** The signature of a method. Optional arguments end with a question mark. */
export const signatureOf = ({ name, input_schema }: Described["methods"][number]): string => {
  const { properties, required } = input_schema;
  const needed = Array.isArray(required) ? required : [];
  const args = Object.keys(isObject(properties) ? properties : {});
  const shown = args.map((arg) => (needed.includes(arg) ? arg : `${arg}?`)).join(", ");
  return `${name}(${shown})`;
};
