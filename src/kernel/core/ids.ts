/** Identifies an artifact, such as an agent, a memory, a program, a contract or a note. */
export type Id = string & { readonly brand: "Id" };

/** Identifies a hold: an amount of scrip reserved for one purpose. */
export type HoldId = string & { readonly brand: "HoldId" };

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
const RESERVED = /^(?:(?:genesis|handbook)(?=[_.-]|$)|operator$)/i;

export const ID_RULE =
  "an id has 1 to 128 of the characters A-Z a-z 0-9 _ . - and starts with a letter or a digit";

/** Returns the text as an id, or null if the text breaks `ID_RULE`. */
export const parseId = (text: unknown): Id | null =>
  typeof text === "string" && ID.test(text) ? (text as Id) : null;

/** Converts text without a check. Use only for ids in our source code or an accepted journal. */
export const asId = (text: string): Id => text as Id;

export const asHoldId = (text: string): HoldId => text as HoldId;

const GENESIS = "genesis_";

/** Returns the id for a short name in the configuration: `genesis_store` for `store`. */
export const genesisId = (name: string): Id => asId(`${GENESIS}${name}`);

export const genesisName = (id: string): string =>
  id.startsWith(GENESIS) ? id.slice(GENESIS.length) : id;

export const reservedRule = (id: string): string =>
  `"${id}" is reserved, as is every id that starts with genesis or handbook; choose another id`;

/** True for "operator", and for a first word "genesis" or "handbook". Only the world uses these. */
export const isReserved = (id: string): boolean => RESERVED.test(id);

type MemoryIds = { readonly memory: Id; readonly working: Id; readonly workspace: Id };

/** Returns the ids reserved for the memory, the working memory and the workspace of a principal. */
export const memoryIds = (id: string): MemoryIds => ({
  memory: asId(`${id}_memory`),
  working: asId(`${id}_working_memory`),
  workspace: asId(`${id}_workspace`),
});

/** Returns the `n`th memory id of a principal that sold its earlier memories. `n` is at least 2. */
export const laterMemoryId = (id: string, n: number): Id | null => parseId(`${id}_memory_${n}`);

/** True if `id` is a name for a memory, the working memory or the workspace of the principal. */
export const isMemoryName = (principal: Id, id: Id): boolean => {
  const { memory, working, workspace } = memoryIds(principal);
  return [memory, working, workspace].includes(id) || id.startsWith(`${memory}_`);
};
