import { find } from "../artifact/read.ts";
import { accept, type Decision, refuse } from "../command.ts";
import type { Event } from "../event.ts";
import { stamp } from "../invocation/subject.ts";
import { type Grant, grantKey } from "../ledger/account.ts";
import { GRANTS_MAX, leftOf } from "../ledger/delegation.ts";
import { isAmount } from "../primitives/amount.ts";
import { asId } from "../primitives/ids.ts";
import type { Json } from "../primitives/json.ts";
import type { State } from "../state.ts";
import {
  AMOUNT_SCHEMA,
  countArg,
  ID_SCHEMA,
  type NativeCall,
  type NativeMethods,
  takes,
  textArg,
} from "./native.ts";

/** Checks, in this order: the actor's account, the contract, the amounts, the limit of grants. */
const grant = (state: State, { by, args }: NativeCall): Decision => {
  const [maxPerCall, maxPerWindow] = [args[1], args[2]];
  if (!state.accounts.has(by.actor)) {
    return refuse("not_authorized", `${by.actor} has no account to charge`);
  }
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
  const event: Event = { ...stamp(by), kind: "delegation_granted", ...granted };
  return accept([event], granted);
};

const revoke = (state: State, { by, args }: NativeCall): Decision => {
  const contract = asId(textArg(args[0]));
  if (!state.grants.has(grantKey(by.actor, contract))) {
    const message = `${by.actor} has no grant to "${contract}"; genesis_ledger.grants() lists them`;
    return refuse("not_found", message);
  }
  const { actor: grantor } = by;
  const event: Event = { ...stamp(by), kind: "delegation_revoked", grantor, contract };
  return accept([event], { grantor, contract, revoked: true });
};

/** Lists grants, sorted by id. Grants are public: buyers see who may charge a program's account. */
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

/** The ledger methods that let programs charge a principal within limits. */
export const GRANT_METHODS: NativeMethods = {
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
      { args: ["my_tool", 5, 20], result: { grantor: "carol", contract: "my_tool", ...SHOWN } },
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
        const given = [{ contract: "my_tool", ...SHOWN, left_in_window: 20 }];
        return { args, result: { given, received: [] } };
      }),
    decide: grants,
  },
};
