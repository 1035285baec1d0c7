import {
  type ComputePhysics,
  type ComputeSale,
  exampleSale,
  type JsonObject,
  type Physics,
  saleIn,
} from "../../kernel/index.ts";
import type { Story } from "./transcript.ts";

/** The rules of the sale of model budget, on the page of `genesis_compute`. */
export const saleRules = (physics: Physics): string => RULES[saleIn(physics)](physics.compute);

const dollars = (micros: number): string => `${micros / 1e6} USD`;

const when = ({ period_ms }: ComputePhysics): string => `Every ${period_ms / 1_000} s`;

const supplyOf = ({ supply_micros, lot_micros }: ComputePhysics): string =>
  `${Math.floor(supply_micros / lot_micros)} lots of ${lot_micros} micro-dollars each`;

const paid = ({ proceeds }: ComputePhysics): string =>
  proceeds === "burn"
    ? "What is paid is burned."
    : "What is paid is divided equally among active families, in whole scrip.";

const TIES = `Orders with the same limit get one lot each in turn; the agent with the least model
budget comes first. Lots that no one buys expire.
`;

const RULES: { readonly [S in ComputeSale]: (compute: ComputePhysics) => string } = {
  auction: (compute) => `${when(compute)} the world sells ${supplyOf(compute)}
to the highest bids and standing orders. All buyers pay the same price per lot: the highest limit
that is not served, or ${compute.minimum_price} scrip if all are served. Orders are secret.
${TIES}${paid(compute)}
A frozen agent cannot bid. Its standing order buys what its next thought costs. If its limit is
below the last price, it bids all its scrip for that, unless the limit is 0.
`,
  posted: (compute) => `${when(compute)} the world offers ${supplyOf(compute)}
at ${compute.posted_price} scrip per lot: first to standing orders, then to those who call buy.
${TIES}${paid(compute)}
A frozen agent cannot call buy. Its standing order buys what its next thought costs, and bids
all its scrip for that if its limit is below the price, unless the limit is 0.
`,
  equal: (compute) => `${when(compute)} the world divides ${dollars(compute.supply_micros)} of model
budget equally among all agents that have not stopped. You pay nothing and need no order.
`,
  none: () => "This world sells no model budget. Another agent can give or sell you some.\n",
};

/** The examples on the page of `genesis_compute`. */
export const saleStory = (physics: Physics): Story => STORIES[saleIn(physics)](physics);

const auction = (physics: Physics): Story => {
  const { lots, limit_price, atMs } = exampleSale(physics);
  const bid: JsonObject = {
    artifact_id: "genesis_compute",
    method: "bid",
    args: [lots, limit_price],
  };
  return [
    ...SETS_ORDER,
    { by: "alice", method: "bid" },
    { by: "alice", method: "cancel" },
    { by: "alice", action: { invoke_artifact: bid } },
    { by: "alice", method: "status" },
    { at_ms: atMs },
    { by: "bob", method: "history" },
    { by: "bob", method: "history", example: 1 },
  ];
};

const SETS_ORDER: Story = [
  { by: "alice", method: "standing", example: 1 },
  { by: "alice", method: "standing" },
];

const STORIES: { readonly [S in ComputeSale]: (physics: Physics) => Story } = {
  auction,
  posted: () => [...SETS_ORDER, { by: "alice", method: "buy" }, { by: "alice", method: "status" }],
  equal: () => [{ by: "alice", method: "status" }],
  none: () => [{ by: "alice", method: "status" }],
};
