import { isAmount } from "../amount.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { GRANTS_MAX, type Grant, grantKey, leftOf } from "../delegation.ts";
import type { Event } from "../event.ts";
import { asId } from "../ids.ts";
import type { Json } from "../json.ts";
import { find } from "../read.ts";
import type { State } from "../state.ts";
import { stamp } from "../subject.ts";
import {
  AMOUNT_SCHEMA,
  ID_SCHEMA,
  type NativeCall,
  type NativeMethod,
  takes,
  textArg,
} from "./native.ts";

/** has an account → the contract is a live program, another → amounts → room for one more. */
const grant = (state: State, { by, args }: NativeCall): Decision => {
  const [maxPerCall, maxPerWindow] = [args[1], args[2]];
  if (!state.accounts.has(by.actor)) {
    return refuse("not_authorized", `${by.actor} has no account that could be charged`);
  }
  const found = find(state, asId(textArg(args[0])));
  if (found.kind !== "accepted") return found;
  const contract = found.answer.id;
  if (found.answer.code === null || contract === by.actor) {
    const message = `${contract} cannot charge you: name a program, of somebody else or your own`;
    return refuse("invalid_argument", message);
  }
  if (!isAmount(maxPerCall) || !isAmount(maxPerWindow)) {
    return refuse("invalid_argument", "max_per_call and max_per_window are amounts of scrip");
  }
  const fresh = !state.grants.has(grantKey(by.actor, contract));
  if (fresh && state.indexes.grantsBy.sizeOf(by.actor) >= GRANTS_MAX) {
    return refuse("quota_exceeded", `${by.actor} has made its ${GRANTS_MAX} grants; revoke one`);
  }
  const bounds = { max_per_call: maxPerCall, max_per_window: maxPerWindow };
  const event: Event = {
    ...stamp(by),
    kind: "delegation_granted",
    grantor: by.actor,
    contract,
    ...bounds,
  };
  return accept([event], { grantor: by.actor, contract, ...bounds });
};

const revoke = (state: State, { by, args }: NativeCall): Decision => {
  const contract = asId(textArg(args[0]));
  if (!state.grants.has(grantKey(by.actor, contract))) {
    const message = `${by.actor} lets no "${contract}" charge it; see genesis_ledger.grants()`;
    return refuse("not_found", message);
  }
  const { actor: grantor } = by;
  const event: Event = { ...stamp(by), kind: "delegation_revoked", grantor, contract };
  return accept([event], { grantor, contract, revoked: true });
};

/**
 * Anybody's, since whoever buys a program must see who may charge it. Both lists are in the order
 * of their ids and at most `GRANTS_MAX` long.
 */
const grants = (state: State, { by, args }: NativeCall): Decision => {
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

const SHOWN = { max_per_call: 5, max_per_window: 20 };

/** Consent to be charged, within bounds; a part of the ledger. */
export const GRANT_METHODS: readonly NativeMethod[] = [
  {
    name: "grant",
    description:
      "Lets a program charge you: as an access contract that names you as payer, or with " +
      "kernel.charge. At most so much at a time and so much in a rolling window. Replaces an " +
      "earlier grant to it.",
    input_schema: takes({
      contract: { ...ID_SCHEMA, description: "the program that may charge you" },
      max_per_call: AMOUNT_SCHEMA,
      max_per_window: AMOUNT_SCHEMA,
    }),
    examples: [
      {
        args: ["news_club", 5, 20],
        result: { grantor: "alice", contract: "news_club", ...SHOWN },
      },
    ],
    writes: true,
    decide: grant,
  },
  {
    name: "revoke",
    description: "Takes back a grant at once.",
    input_schema: takes({ contract: ID_SCHEMA }),
    examples: [
      {
        args: ["news_club"],
        result: { grantor: "alice", contract: "news_club", revoked: true },
      },
    ],
    writes: true,
    decide: revoke,
  },
  {
    name: "grants",
    description:
      "Whom you let charge you, and who lets you charge them; with `id`, the same of another. " +
      "What an artifact has granted ends when it, or what it belongs to, gets another owner.",
    input_schema: takes({ id: ID_SCHEMA }, []),
    examples: [
      {
        args: [],
        result: {
          given: [{ contract: "news_club", ...SHOWN, left_in_window: 15 }],
          received: [],
        },
      },
    ],
    writes: false,
    decide: grants,
  },
];
