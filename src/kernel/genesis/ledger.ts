import type { ActionDecision, ActionEvent } from "../action/events.ts";
import { decideAccept, decideOffer } from "../action/transfer.ts";
import { unfrozen } from "../agent/events.ts";
import { find } from "../artifact/tables.ts";
import { saleIn } from "../compute/supply.ts";
import { accept, answered, type Decision, refuse } from "../core/decision.ts";
import { asId, genesisId, ID_RULE, type Id, parseId } from "../core/ids.ts";
import { cutText, isObject, type Json, type JsonObject } from "../core/json.ts";
import { AMOUNT_RULE, isAmount } from "../core/money.ts";
import { type Physics, RESOURCES } from "../core/physics.ts";
import { decideSpawn, ENDOWMENT_NAMES } from "../family/spawn.ts";
import { type Grant, grantKey, publicBalance } from "../ledger/account.ts";
import { GRANTS_MAX, leftOf } from "../ledger/delegation.ts";
import {
  accountRefusal,
  budgetRefusal,
  decideTransfer,
  payeeRefusal,
  principalRefusal,
} from "../ledger/payment.ts";
import { type Subject, stamp } from "../ledger/subject.ts";
import type { SearchTables } from "../search/query.ts";
import {
  AMOUNT_SCHEMA,
  costOf,
  countArg,
  EXAMPLE_AGENTS,
  EXAMPLES_AT_MS,
  ID_SCHEMA,
  type NativeArtifact,
  type NativeCall,
  type NativeMethod,
  type NativeMethods,
  named,
  takes,
  textArg,
} from "./native.ts";

const idArg = (arg: Json | undefined, by: Subject): Decision<Id> => {
  if (arg === undefined || arg === null) return accept([], by.actor);
  const id = parseId(arg);
  return id === null ? refuse("invalid_argument", ID_RULE) : accept([], id);
};

/** The principal in the argument, or the actor if there is no argument. */
export const principalArg = (
  state: SearchTables,
  arg: Json | undefined,
  by: Subject,
): Decision<Id> => {
  const id = idArg(arg, by);
  return id.kind === "accepted" ? (principalRefusal(state, id.answer) ?? id) : id;
};

const transfer = (state: SearchTables, { by, args, fees }: NativeCall): ActionDecision => {
  const [receiver, amount = null, note] = args;
  const to = parseId(receiver);
  if (to === null) return refuse("invalid_argument", ID_RULE);
  const memo = typeof note === "string" ? { memo: cutText(note, 200) } : {};
  return decideTransfer(state, { by, to, amount, fees, reason: "transfer", ...memo });
};

const transferBudget = (state: SearchTables, { by, args }: NativeCall): ActionDecision => {
  const to = parseId(args[0]);
  const micros = args[1];
  if (to === null) return refuse("invalid_argument", ID_RULE);
  if (!isAmount(micros)) return refuse("invalid_argument", AMOUNT_RULE);
  const unpayable = payeeRefusal(state, by, to);
  if (unpayable !== null) return unpayable;
  const poor = budgetRefusal(state, by.actor, micros);
  if (poor !== null) return poor;
  const moved: ActionEvent = {
    ...stamp(by),
    kind: "budget_transferred",
    from: by.actor,
    to,
    micros,
  };
  return accept([moved, ...unfrozen(state, stamp(by), to, "llm_budget", micros)], {
    from: by.actor,
    to,
    micros,
  });
};

const balanceOf = (state: SearchTables, { by, args }: NativeCall): ActionDecision =>
  answered(principalArg(state, args[0], by), (id) => {
    const { scrip = 0, held = 0 } = state.accounts.get(id) ?? {};
    return id === by.actor ? { id, scrip, held } : { id, scrip: scrip + held };
  });

const budgetOf = (state: SearchTables, { by, args }: NativeCall): ActionDecision =>
  answered(principalArg(state, args[0], by), (id) => {
    return { id, llm_budget_micros: state.accounts.get(id)?.llmBudgetMicros ?? 0 };
  });

const allBalances = (state: SearchTables): ActionDecision => {
  const ids = [...state.accounts.keys()].sort();
  return accept([], Object.fromEntries(ids.map((id) => [id, publicBalance(state, id)])));
};

const offersTo = (state: SearchTables, { by }: NativeCall): ActionDecision => {
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

/** Checks, in this order: the actor's account, the contract, the amounts, the limit of grants. */
const grant = (state: SearchTables, { by, args }: NativeCall): ActionDecision => {
  const [maxPerCall, maxPerWindow] = [args[1], args[2]];
  const poor = accountRefusal(state, by.actor, " to charge");
  if (poor !== null) return poor;
  const found = find(state, asId(textArg(args[0])));
  if (found.kind !== "accepted") return found;
  const contract = found.answer.id;
  if (found.answer.code === null || contract === by.actor) {
    const message = `${contract} cannot charge you; name a program whose id is not your own`;
    return refuse("invalid_argument", message);
  }
  if (!isAmount(maxPerCall) || !isAmount(maxPerWindow)) {
    return refuse(
      "invalid_argument",
      "max_per_call and max_per_window must be whole numbers from 1 to 9007199254740991",
    );
  }
  const fresh = !state.grants.has(grantKey(by.actor, contract));
  if (fresh && state.indexes.grantsBy.sizeOf(by.actor) >= GRANTS_MAX) {
    const message = `${by.actor} has the maximum of ${GRANTS_MAX} grants; revoke one first`;
    return refuse("quota_exceeded", message);
  }
  const bounds = { max_per_call: maxPerCall, max_per_window: maxPerWindow };
  const granted = { grantor: by.actor, contract, ...bounds };
  const event: ActionEvent = { ...stamp(by), kind: "delegation_granted", ...granted };
  return accept([event], granted);
};

const revoke = (state: SearchTables, { by, args }: NativeCall): ActionDecision => {
  const contract = asId(textArg(args[0]));
  if (!state.grants.has(grantKey(by.actor, contract))) {
    const message = `${by.actor} has no grant to "${contract}"; genesis_ledger.grants() lists them`;
    return refuse("not_found", message);
  }
  const { actor: grantor } = by;
  const event: ActionEvent = { ...stamp(by), kind: "delegation_revoked", grantor, contract };
  return accept([event], { grantor, contract, revoked: true });
};

/** Lists grants, sorted by id. Grants are public: buyers see who may charge a program's account. */
const grants = (state: SearchTables, { by, args }: NativeCall): ActionDecision => {
  const found = find(state, args[0] === undefined ? by.actor : asId(textArg(args[0])));
  if (found.kind !== "accepted") return found;
  const { id } = found.answer;
  const { grantsBy, grantsTo } = state.indexes;
  const most = { max: GRANTS_MAX };
  const list = (rows: Iterable<Grant>, theirs: "grantor" | "contract"): Json =>
    [...rows].map((row) => ({
      [theirs]: row[theirs],
      max_per_call: row.maxPerCall,
      max_per_window: row.maxPerWindow,
      left_in_window: leftOf(state, row, by.atMs),
    }));
  return accept([], {
    given: list(grantsBy.rowsOf(id, most), "contract"),
    received: list(grantsTo.rowsOf(id, most), "grantor"),
  });
};

const SHOWN_GRANT = { max_per_call: 5, max_per_window: 20 };

/** The ledger methods that let programs charge a principal within limits. */
const GRANT_METHODS: NativeMethods = {
  grant: {
    description:
      "Lets a program charge you up to a maximum per call and per rolling window: with " +
      "kernel.charge, or by naming you as payer if it is an access contract. A new grant " +
      "replaces the earlier one.",
    input_schema: takes({
      contract: { ...ID_SCHEMA, description: "the program that may charge you" },
      max_per_call: AMOUNT_SCHEMA,
      max_per_window: AMOUNT_SCHEMA,
    }),
    examples: () => [
      {
        args: ["my_tool", 5, 20],
        result: { grantor: "carol", contract: "my_tool", ...SHOWN_GRANT },
      },
    ],
    writes: true,
    spends: ([_contract, _perCall, perWindow]) => countArg(perWindow),
    decide: grant,
  },
  revoke: {
    description: "Revokes a grant at once.",
    input_schema: takes({ contract: ID_SCHEMA }),
    examples: () => [
      { args: ["my_tool"], result: { grantor: "carol", contract: "my_tool", revoked: true } },
    ],
    writes: true,
    decide: revoke,
  },
  grants: {
    description:
      "The grants that you, or the principal or program `id`, gave and received. An artifact's " +
      "grants end when the artifact or its owner gets a new owner.",
    input_schema: takes({ id: ID_SCHEMA }, []),
    examples: () =>
      [[], ["carol"]].map((args) => {
        const given = [{ contract: "my_tool", ...SHOWN_GRANT, left_in_window: 20 }];
        return { args, result: { given, received: [] } };
      }),
    decide: grants,
  },
};

const COUNT_SCHEMA: JsonObject = { type: "integer", minimum: 0 };

const counts = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, COUNT_SCHEMA]));

const OPTION_SCHEMAS: JsonObject = {
  ...counts(ENDOWMENT_NAMES),
  quotas: { type: "object", properties: counts(RESOURCES) },
  owner: { type: "string", enum: ["self", "parent"] },
};

/** Allows all keys. The method itself refuses unknown keys and shows an example. */
const OPTIONS: JsonObject = { type: "object", properties: OPTION_SCHEMAS };

const SHAPE =
  `the options are ${Object.keys(OPTION_SCHEMAS).join(", ")}, as in ["kid", ` +
  '{"mind": "policy/worker"}, ' +
  '{"disk_bytes": 20000, "actions": 20, "cpu_gas": 100000}]; attach the scrip';

const optionsOf = ([_id, _config, options]: readonly Json[]): JsonObject =>
  isObject(options) ? options : {};

const NOTHING = { llm_calls: 0, llm_tokens: 0, cpu_gas: 0, bytes_written: 0 };

const SPAWN_METHOD: Omit<NativeMethod, "name"> = {
  description:
    "Creates an agent with its own loop. You give it the attached scrip and the budget, disk and " +
    "window quotas in options. By default its config is a copy of yours, and you own it. " +
    "It needs cpu_gas to act, and enough for the cost of its mind to think.",
  input_schema: takes(
    { id: ID_SCHEMA, config: { type: ["object", "string"] }, options: OPTIONS },
    [],
  ),
  examples: (physics) => {
    const { disk_bytes, actions } = physics.agents.spawn_minimum;
    const least = { actions, ...NOTHING, disk: disk_bytes };
    const disk = Math.max(20_000, disk_bytes);
    const more = { actions: Math.max(20, actions), llm_tokens: 8_000, cpu_gas: 100_000 };
    const writing = { llm_calls: 5, bytes_written: 4_000 };
    const budget = { llm_budget_micros: 100_000 };
    const options = { ...budget, ...more, ...writing, disk_bytes: disk };
    const gets = { scrip: 25, ...budget, quotas: { ...least, ...more, ...writing, disk } };
    const starts_at_ms = EXAMPLES_AT_MS + physics.agents.min_delay_ms;
    const child = (id: string, owner: string, means: JsonObject): Json => {
      return { id, owner, memory_artifact_id: `${id}_memory`, ...means, starts_at_ms };
    };
    const poor = { scrip: 0, llm_budget_micros: 0 };
    const freed = { quotas: { cpu_gas: 1_000 }, owner: "self" };
    const mind = { mind: "policy/explorer" };
    return [
      { args: ["my_child", mind, options], result: child("my_child", "alice", gets) },
      {
        args: ["my_heir", mind, freed],
        result: child("my_heir", "my_heir", { ...poor, quotas: { ...least, cpu_gas: 1_000 } }),
      },
      { args: [], result: child("bob_child_1", "bob", { ...poor, quotas: least }) },
    ];
  },
  writes: true,
  takesScrip: true,
  decide: (state, { by, args, scrip, fees, agent_check }) => {
    const options = optionsOf(args);
    const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTION_SCHEMAS, name));
    if (unknown !== undefined) {
      return refuse("interface_mismatch", `"${unknown}" is not an option; ${SHAPE}`);
    }
    const [id = null, config = null] = args;
    const fields = { ...options, id, config, scrip };
    return decideSpawn(state, {
      by,
      fields,
      fees,
      ...(agent_check === undefined ? {} : { agent_check }),
    });
  },
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
