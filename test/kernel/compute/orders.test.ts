import { describe, expect, it } from "vitest";
import { calls, inside } from "../../support/commands.ts";
import {
  bidsForCompute,
  cancelsBid,
  saleAt,
  sellingBy,
  sells,
  standsFor,
} from "../../support/compute.ts";
import { freeAndHeld } from "../../support/mint.ts";
import { physicsWith } from "../../support/physics.ts";
import {
  agent,
  given,
  givenIn,
  program,
  refusesInOrder,
  standing,
} from "../../support/scenario.ts";

const ANN = agent("ann", { scrip: 20 });

describe("a bid for model budget", () => {
  it("holds its scrip until the sale", () => {
    const scene = givenIn(sellingBy(), ANN);
    const purpose = { kind: "compute_bid", bidder: "ann" } as const;
    scene
      .when(bidsForCompute("ann", 3, 5))
      .thenHappened(
        { kind: "scrip_held", from: "ann", amount: 15, purpose },
        { kind: "compute_bid_placed", bidder: "ann", lots: 3, limit_price: 5 },
      )
      .thenAnswered({ lots: 3, limit_price: 5, held: 15, sale_at_ms: saleAt(0) });
    expect(freeAndHeld(scene.state, "ann")).toEqual([5, 15]);
  });

  it("replaces the earlier bid, whose scrip it can use", () => {
    const scene = givenIn(sellingBy(), ANN, bidsForCompute("ann", 3, 5));
    scene
      .when(bidsForCompute("ann", 2, 10))
      .thenHappened("compute_bid_cancelled", "hold_released", "scrip_held", "compute_bid_placed");
    expect(freeAndHeld(scene.state, "ann")).toEqual([0, 20]);
  });

  it("counts the scrip of the earlier bid in the refusal of a bid that is too high", () => {
    const scene = givenIn(sellingBy(), ANN, bidsForCompute("ann", 3, 5));
    const parts = "5 free and 15 in the bid that this one would replace";
    const message = new RegExp(`this takes 21 scrip, but you have 20: ${parts}$`);
    scene.when(bidsForCompute("ann", 3, 7)).thenRefused("insufficient_funds", message);
    scene.when(bidsForCompute("ann", 2, 10)).thenAnswered({ held: 20 });
  });

  it("is refused with readable numbers if it is larger than any amount", () => {
    const most = /bid at most 9007199254740991 scrip in all: lots × limit_price$/;
    const scene = givenIn(sellingBy(), ANN);
    const max = Number.MAX_SAFE_INTEGER;
    scene.when(bidsForCompute("ann", max, max)).thenRefused("invalid_argument", most);
    scene
      .when(bidsForCompute("ann", 1, max))
      .thenRefused("insufficient_funds", /takes 9007199254740991 scrip, but ann has 20/);
  });

  it("names why it ended without a sale", () => {
    const ended = { kind: "compute_bid_cancelled", bidder: "ann" } as const;
    const scene = givenIn(sellingBy(), ANN, bidsForCompute("ann", 3, 5));
    scene
      .when(bidsForCompute("ann", 2, 5))
      .thenHappened(
        { ...ended, reason: "replaced" },
        ...(["hold_released", "scrip_held"] as const),
        "compute_bid_placed",
      );
    scene.when(cancelsBid("ann")).thenHappened({ ...ended, reason: "withdrawn" }, "hold_released");
  });

  it("can be cancelled", () => {
    const scene = givenIn(sellingBy(), ANN, bidsForCompute("ann", 3, 5));
    scene
      .when(cancelsBid("ann"))
      .thenHappened("compute_bid_cancelled", "hold_released")
      .thenAnswered({ refunded: 15 });
    scene.when(cancelsBid("ann")).thenRefused("not_found", /no open bid/);
    expect(freeAndHeld(scene.state, "ann")).toEqual([20, 0]);
  });

  it("is refused for the first rule that it breaks", () => {
    const costs = { genesis_compute: { bid: 1 } };
    const { genesis, compute } = sellingBy();
    const physics = physicsWith({ genesis: { ...genesis, costs }, compute });
    const scene = givenIn(physics, ANN, program("shop", "ann"));
    refusesInOrder(scene, { ...bidsForCompute("ann", 4, 1), by: inside("ann", "shop") }, [
      ["insufficient_funds", /a program without standing/, { by: bidsForCompute("ann", 1, 1).by }],
      ["invalid_argument", /at 2 scrip or more per lot/, { args: [4, 5] }],
      ["insufficient_funds", /takes 21 scrip, but ann has 20/, { args: [3, 6] }],
    ]).thenHappened("scrip_burned", "scrip_held", "compute_bid_placed");
  });

  it("needs an account, a world that sells model budget, and an auction", () => {
    const scene = givenIn(sellingBy(), ANN, program("shop", "ann"));
    const bid = bidsForCompute("ann", 1, 2);
    scene.when({ ...bid, by: inside("ann", "shop") }).thenRefused("not_authorized", /no account/);
    given(ANN)
      .when(bid)
      .thenRefused("not_found", /no method "bid"; it has: describe, status$/);
    givenIn(sellingBy({ sale: "posted" }), ANN)
      .when(bid)
      .thenRefused("not_found", /no method "bid"; it has: describe, status, standing, buy/);
  });

  it("cannot be placed by an access contract", () => {
    const readOnly = { ...inside("ann", "rule"), readOnly: true };
    givenIn(sellingBy(), ANN)
      .when({ ...bidsForCompute("ann", 1, 2), by: readOnly })
      .thenRefused("not_authorized", /may only read/);
  });

  it("keeps its bidder from being deleted", () => {
    const scene = givenIn(sellingBy(), ANN, standing("shop", "ann", { scrip: 4 }));
    scene.when({ ...bidsForCompute("shop", 2, 2), by: inside("ann", "shop") });
    const deletes = calls("ann", "genesis_store.delete", { args: ["shop"] });
    scene.when(deletes).thenRefused("not_empty", /still has scrip/);
  });
});

describe("a standing order", () => {
  it("is kept until it is set again, and ends with its principal", () => {
    const scene = givenIn(sellingBy(), ANN, standing("shop", "ann"));
    scene
      .when({ ...standsFor("shop", 2, 4), by: inside("ann", "shop") })
      .thenHappened({ kind: "standing_order_set", principal_id: "shop", lots: 2, limit_price: 4 });
    scene.when(standsFor("ann", 3)).thenAnswered({ lots: 3, limit_price: null });
    scene.when(standsFor("ann", 0, 0)).thenAnswered({ lots: 0, limit_price: 0 });
    expect([...scene.state.standingOrders.keys()]).toEqual(["shop", "ann"]);
    scene.when(calls("ann", "genesis_store.delete", { args: ["shop"] }));
    expect([...scene.state.standingOrders.keys()]).toEqual(["ann"]);
  });

  it("can be a part of an agent from the start", () => {
    const order = { lots: 2, limit_price: null };
    const scene = givenIn(sellingBy(), { ...ANN, standing: order });
    const status = calls("ann", "genesis_compute.status");
    scene.when(status).thenAnswered({ standing: order, bid: null });
    givenIn(sellingBy(), ANN)
      .when(status)
      .thenAnswered({ standing: { lots: 0 } });
    const wrong = { ...agent("bob"), standing: { lots: -1, limit_price: 1 } };
    scene.when(wrong).thenRefused("invalid_argument", /whole numbers from 0/);
  });
});

describe("a sale", () => {
  it("does not happen before its time, nor in a world without model budget for sale", () => {
    givenIn(sellingBy(), ANN)
      .when(sells(0, saleAt(0) - 1))
      .thenRefused("invalid_argument", /the next sale is at 5 s/);
    given(ANN).when(sells()).thenRefused("not_found");
    givenIn(sellingBy({ sale: "none" }), ANN)
      .when(sells())
      .thenRefused("not_found");
  });
});
