import { z } from "zod";
import {
  ID_RULE,
  type Interface,
  interfaceProblem,
  isReserved,
  parseId,
} from "../../kernel/index.ts";
import type { Frozen } from "../../model/index.ts";
import { parseTimeMs } from "../../world/index.ts";
import { plainJson } from "./plain-json.ts";

const USD_MAX = 100_000;
const SCRIP_MAX = 1_000_000_000_000;

const TIME = "a run time such as 300s or 5m";
const time = z
  .custom<string>((given) => typeof given === "string" && parseTimeMs(given) !== null, {
    error: ({ input }) =>
      typeof input === "number" ? `must have a unit, as in ${input}s` : `must be ${TIME}`,
  })
  .meta({ type: "string", description: TIME });

const id = z
  .string()
  .refine((text) => parseId(text) !== null, { error: `is not an id: ${ID_RULE}` });

const newId = id.refine((text) => parseId(text) === null || !isReserved(parseId(text) ?? ""), {
  error: "must not be operator or start with genesis or handbook; these names are reserved",
});

const path = z.string().min(1);

const oneOrMore = <Item extends z.ZodType>(item: Item) => z.union([item, z.array(item).min(1)]);

const amounts = {
  scrip: z.int().min(1).max(SCRIP_MAX).exactOptional(),
  llm_budget_usd: z.number().min(0.000_001).max(USD_MAX).exactOptional(),
};

type Amounts = { readonly scrip?: number; readonly llm_budget_usd?: number };

const hasAmount = ({ scrip, llm_budget_usd }: Amounts): boolean =>
  scrip !== undefined || llm_budget_usd !== undefined;

const AMOUNT_MISSING = { error: "must have scrip, llm_budget_usd or both" };

const price = z.int().min(0).max(SCRIP_MAX).exactOptional();

export const isInterface = (given: unknown): given is Interface => interfaceProblem(given) === null;

const settings = z.record(z.string().min(1), plainJson);

const install = z
  .strictObject({
    id: newId,
    file: path,
    owner: id.exactOptional(),
    type: z.string().min(1).exactOptional(),
    price,
    read_price: price,
    interface: z
      .unknown()
      .refine((given): boolean => isInterface(given), {
        error: ({ input }) => `is not an interface: ${interfaceProblem(input)}`,
      })
      .exactOptional(),
    settings: settings.exactOptional(),
    has_standing: z.literal(true).exactOptional(),
  })
  .refine(
    ({ owner, has_standing, price: asked = 0, read_price = 0 }) =>
      owner !== undefined || has_standing === true || asked + read_price === 0,
    { error: "must have an owner, who receives the price" },
  );

const plainId = newId.refine((text) => !text.includes("."), {
  error: "must not have a dot, because settings below it are named by dotted keys",
});

/** The programs that a new world starts with, by id. `docs/mechanisms.md` describes them. */
export const mechanismsSchema = z.record(
  plainId,
  z.strictObject({
    file: path,
    owner: id.exactOptional(),
    price,
    settings: settings.exactOptional(),
  }),
);

const ACTIONS = {
  set: z
    .record(z.string().min(1), plainJson)
    .refine((given) => Object.keys(given).length > 0, { error: "must set something" }),
  mint: z.strictObject({ to: oneOrMore(id), ...amounts }).refine(hasAmount, AMOUNT_MISSING),
  take: z.strictObject({ from: oneOrMore(id), ...amounts }).refine(hasAmount, AMOUNT_MISSING),
  install,
  pause: oneOrMore(id),
  resume: oneOrMore(id),
  add: oneOrMore(path),
  remove: oneOrMore(id),
};

type Action = keyof typeof ACTIONS;

const isAction = (key: string): key is Action => Object.hasOwn(ACTIONS, key);

const NAMES = Object.keys(ACTIONS).filter(isAction);

const entry = z
  .strictObject({
    at: time,
    set: ACTIONS.set.exactOptional(),
    mint: ACTIONS.mint.exactOptional(),
    take: ACTIONS.take.exactOptional(),
    install: ACTIONS.install.exactOptional(),
    pause: ACTIONS.pause.exactOptional(),
    resume: ACTIONS.resume.exactOptional(),
    add: ACTIONS.add.exactOptional(),
    remove: ACTIONS.remove.exactOptional(),
    joins_later: z.boolean().exactOptional(),
  })
  .refine((given) => NAMES.filter((name) => given[name] !== undefined).length === 1, {
    error: `must have one of ${NAMES.join(", ")}; write an entry for each change`,
    // An unknown key is the better message.
    when: ({ issues }) => issues.length === 0,
  })
  .refine(
    ({ joins_later, set, install, add }) => joins_later !== true || !(set ?? install ?? add),
    {
      error: "must have joins_later only with mint, take, pause, resume or remove",
      when: ({ issues }) => issues.length === 0,
    },
  );

/** The changes that a run plans for later times. `docs/changing-a-run.md` says what each does. */
export const scheduleSchema = z.array(entry);

export type ScheduleConfig = Frozen<z.infer<typeof scheduleSchema>>;
