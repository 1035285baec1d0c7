import { unfrozen } from "../agent/waking.ts";
import { decideAccept, decideOffer } from "../artifact/ownership.ts";
import { accept, answered, type Decision, type Refused, refuse } from "../command.ts";
import { saleIn } from "../compute/supply.ts";
import type { Event } from "../event.ts";
import { fundsOf, type Subject, stamp } from "../invocation/subject.ts";
import { budgetRefusal, type Payment, paymentEvents, paymentRefusal } from "../ledger/payment.ts";
import { AMOUNT_RULE, isAmount, overflows } from "../primitives/amount.ts";
import { asId, genesisId, ID_RULE, type Id, parseId } from "../primitives/ids.ts";
import { cutText, type Json } from "../primitives/json.ts";
import type { Physics } from "../setup/physics.ts";
import { publicBalance, type State } from "../state.ts";
import { GRANT_METHODS } from "./grants.ts";
import {
  AMOUNT_SCHEMA,
  costOf,
  countArg,
  EXAMPLE_AGENTS,
  EXAMPLES_AT_MS,
  ID_SCHEMA,
  type NativeArtifact,
  type NativeCall,
  named,
  takes,
  textArg,
} from "./native.ts";
import { SPAWN_METHOD } from "./spawning.ts";

const idArg = (arg: Json | undefined, by: Subject): Decision<Id> => {
  if (arg === undefined || arg === null) return accept([], by.actor);
  const id = parseId(arg);
  return id === null ? refuse("invalid_argument", ID_RULE) : accept([], id);
};

const principalRefusal = (state: State, id: Id): Refused | null =>
  state.accounts.has(id)
    ? null
    : refuse("not_found", `"${id}" is not a principal; genesis_store.list_principals() lists them`);

/** The principal in the argument, or the actor if there is no argument. */
export const principalArg = (state: State, arg: Json | undefined, by: Subject): Decision<Id> => {
  const id = idArg(arg, by);
  return id.kind === "accepted" ? (principalRefusal(state, id.answer) ?? id) : id;
};

export const payeeRefusal = (state: State, by: Subject, to: Id): Refused | null =>
  principalRefusal(state, to) ??
  (to === by.actor ? refuse("invalid_argument", "you cannot transfer to yourself") : null);

export type Transfer = {
  readonly by: Subject;
  readonly to: Id;
  readonly amount: Json;
  readonly memo?: string;
  readonly fees: readonly Payment[];
  readonly reason: "transfer" | "pay";
};

/** Checks, in this order: the amount, the payee, the actor's funds, the payee's new balance. */
export const decideTransfer = (state: State, transfer: Transfer): Decision => {
  const { by, to, amount, memo, fees, reason } = transfer;
  if (!isAmount(amount)) return refuse("invalid_argument", AMOUNT_RULE);
  const unpayable = payeeRefusal(state, by, to);
  if (unpayable !== null) return unpayable;
  const note = memo === undefined ? {} : { memo };
  const payment: Payment = { from: fundsOf(state, by), to, amount, reason, ...note };
  const poor = paymentRefusal(state, by, [payment, ...fees]);
  if (poor !== null) return poor;
  if (overflows(state.accounts.get(to)?.scrip ?? 0, amount)) {
    return refuse("invalid_argument", `the balance of ${to} would be too large`);
  }
  return accept(paymentEvents(by, [payment]), { from: by.actor, to, amount });
};

const transfer = (state: State, { by, args, fees }: NativeCall): Decision => {
  const [receiver, amount = null, note] = args;
  const to = parseId(receiver);
  if (to === null) return refuse("invalid_argument", ID_RULE);
  const memo = typeof note === "string" ? { memo: cutText(note, 200) } : {};
  return decideTransfer(state, { by, to, amount, fees, reason: "transfer", ...memo });
};

const transferBudget = (state: State, { by, args }: NativeCall): Decision => {
  const to = parseId(args[0]);
  const micros = args[1];
  if (to === null) return refuse("invalid_argument", ID_RULE);
  if (!isAmount(micros)) return refuse("invalid_argument", AMOUNT_RULE);
  const unpayable = payeeRefusal(state, by, to);
  if (unpayable !== null) return unpayable;
  const poor = budgetRefusal(state, by.actor, micros);
  if (poor !== null) return poor;
  const moved: Event = { ...stamp(by), kind: "budget_transferred", from: by.actor, to, micros };
  const gift = { to, what: "llm_budget", amount: micros } as const;
  return accept([moved, ...unfrozen(state, stamp(by), gift)], { from: by.actor, to, micros });
};

const balanceOf = (state: State, { by, args }: NativeCall): Decision =>
  answered(principalArg(state, args[0], by), (id) => {
    const { scrip = 0, held = 0 } = state.accounts.get(id) ?? {};
    return id === by.actor ? { id, scrip, held } : { id, scrip: scrip + held };
  });

const budgetOf = (state: State, { by, args }: NativeCall): Decision =>
  answered(principalArg(state, args[0], by), (id) => {
    return { id, llm_budget_micros: state.accounts.get(id)?.llmBudgetMicros ?? 0 };
  });

const allBalances = (state: State): Decision => {
  const ids = [...state.accounts.keys()].sort();
  return accept([], Object.fromEntries(ids.map((id) => [id, publicBalance(state, id)])));
};

const offersTo = (state: State, { by }: NativeCall): Decision => {
  const offers = [...state.indexes.offersTo.rowsOf(by.actor)];
  offers.sort((a, b) => (a.artifact < b.artifact ? -1 : 1));
  const shown = offers.map(({ artifact, from }) => ({ artifact, from }));
  return accept([], shown);
};

/** After alice has paid 5 scrip to bob, and each of them has looked up a balance. */
const shownBalances = (physics: Physics): Json => {
  const [look, pay] = [
    costOf(physics, LEDGER_ID, "balance"),
    costOf(physics, LEDGER_ID, "transfer"),
  ];
  const programs = ["board", "debt_contract", "escrow", "voting"]
    .filter((name) => physics.genesis.enabled.includes(name))
    .map((name) => [genesisId(name), 0] as const);
  const agents = { alice: 100 - look - pay - 5, bob: 100 + 5 - look, carol: 100 };
  return { ...agents, ...Object.fromEntries(programs) };
};

const who = { id: { ...ID_SCHEMA, description: "a principal; default: yourself" } };
const payee = { to: { ...ID_SCHEMA, description: "the principal who receives" } };

const LEDGER_ID = "genesis_ledger";

/** The model budget of an agent in the examples: its endowment, and its share of each division. */
const exampleBudget = (physics: Physics): number => {
  const { resources, compute } = physics;
  if (saleIn(physics) !== "equal") return resources.llm_budget_micros;
  const divisions = Math.floor(EXAMPLES_AT_MS / compute.period_ms);
  const share = Math.floor(compute.supply_micros / EXAMPLE_AGENTS);
  return resources.llm_budget_micros + divisions * share;
};

export const LEDGER: NativeArtifact = {
  id: LEDGER_ID,
  description: "Scrip, model budget and ownership: query, transfer, delegate.",
  methods: named({
    balance: {
      description: "The scrip of a principal. Your own is split into free and held scrip.",
      input_schema: takes(who, []),
      examples: () => [
        { args: ["bob"], result: { id: "bob", scrip: 100 } },
        { args: [], result: { id: "bob", scrip: 105, held: 0 } },
      ],
      decide: balanceOf,
    },
    all_balances: {
      description: "The scrip of every principal: the sum of free and held scrip.",
      input_schema: takes({}),
      examples: (physics) => [{ args: [], result: shownBalances(physics) }],
      decide: allBalances,
    },
    transfer: {
      description: "Pays scrip to another principal at once.",
      input_schema: takes(
        { ...payee, scrip: AMOUNT_SCHEMA, memo: { type: "string", maxLength: 200 } },
        ["to", "scrip"],
      ),
      examples: () => [
        { args: ["bob", 5, "for the tool"], result: { from: "alice", to: "bob", amount: 5 } },
      ],
      writes: true,
      spends: ([_to, scrip]) => countArg(scrip),
      decide: transfer,
    },
    transfer_budget: {
      description:
        "Transfers model budget in micro-dollars. Enough budget unfreezes a frozen agent.",
      input_schema: takes({ ...payee, micros: AMOUNT_SCHEMA }),
      examples: () => [{ args: ["bob", 1000], result: { from: "alice", to: "bob", micros: 1000 } }],
      writes: true,
      decide: transferBudget,
    },
    get_budget: {
      description: "The model budget of a principal, in micro-dollars.",
      input_schema: takes(who, []),
      examples: (physics) => {
        const llm_budget_micros = exampleBudget(physics);
        return [
          { args: ["bob"], result: { id: "bob", llm_budget_micros: llm_budget_micros + 1_000 } },
          { args: [], result: { id: "carol", llm_budget_micros } },
        ];
      },
      decide: budgetOf,
    },
    transfer_ownership: {
      description: "Offers an artifact that you own to another principal, who must accept it.",
      input_schema: takes({ artifact: ID_SCHEMA, ...payee }),
      examples: () => [
        {
          args: ["my_tool", "bob"],
          result: {
            artifact: "my_tool",
            offered_to: "bob",
            next: 'bob takes it with genesis_ledger.accept("my_tool")',
          },
        },
      ],
      writes: true,
      decide: (state, { by, args }) =>
        decideOffer(state, { by, artifact: asId(textArg(args[0])), to: asId(textArg(args[1])) }),
    },
    accept: {
      description:
        "Accepts an artifact that was offered to you; it counts against your disk quota.",
      input_schema: takes({ artifact: ID_SCHEMA }),
      examples: () => [{ args: ["my_tool"], result: { artifact: "my_tool", owner: "bob" } }],
      writes: true,
      decide: (state, { by, args }) => decideAccept(state, by, asId(textArg(args[0]))),
    },
    offers: {
      description: "The artifacts that are offered to you.",
      input_schema: takes({}),
      examples: () => [{ args: [], result: [{ artifact: "my_tool", from: "alice" }] }],
      decide: offersTo,
    },
    ...GRANT_METHODS,
    spawn_principal: SPAWN_METHOD,
  }),
};
