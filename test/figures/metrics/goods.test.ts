import { describe, expect, it } from "vitest";
import { asId, type Event, type PrivateValues } from "../../../src/kernel/index.ts";
import { comes, figuresOf, type Happens, moves, writes } from "../../support/run-events.ts";

const ESCROW = "genesis_escrow";

/** An agent to which the artifact `it` is worth this much. */
const worth = (id: string, value: number | null, more: PrivateValues = {}): readonly Event[] => {
  const values: PrivateValues = value === null ? more : { it: value, ...more };
  return comes(id, 100).map((event) =>
    event.kind === "agent_created" ? { ...event, values } : event,
  );
};

const changes = (
  kind: "ownership_transferred" | "ownership_offered" | "ownership_offer_ended",
  [from, to]: readonly [from: string, to: string],
  artifact = "it",
): Event => ({
  ...{ kind, at_ms: 0, principal: asId(from), artifact_id: asId(artifact) },
  ...{ from: asId(from), to: asId(to) },
});
const gives = (from: string, to: string, artifact = "it"): Event =>
  changes("ownership_transferred", [from, to], artifact);
const offers = (from: string, to: string, artifact = "it"): Event =>
  changes("ownership_offered", [from, to], artifact);

const acts = (id: string): Event => ({
  ...{ kind: "action_completed", at_ms: 0, principal: asId(id), action: "invoke_artifact" },
  ...{ target: null, method: null, message: "done", charged: { scrip: 0, gas: 0, bytes: 0 } },
  ...{ result: null, cut: false, next_at_ms: null },
});

type Sold = readonly [price: number, artifact?: string];

/** A purchase through the escrow, after a deposit. */
const sells = (seller: string, buyer: string, ...[price, artifact = "it"]: Sold): Happens[] => [
  gives(seller, ESCROW, artifact),
  acts(seller),
  moves([buyer, ESCROW], price + 2, { reason: "attached" }),
  moves([ESCROW, seller], price, { reason: "pay", by: buyer }),
  gives(ESCROW, buyer, artifact),
  moves([ESCROW, buyer], 2, { reason: "pay", by: buyer }),
  acts(buyer),
];

const gainsOf = (...happens: readonly (Happens | readonly Happens[])[]) =>
  figuresOf(...happens).gains_from_trade;

const ANN_MAKES_IT = [...worth("ann", 30), ...worth("bob", 60), writes("ann", "it")];

describe("the gains from trade", () => {
  it("of a sale through the escrow are divided by its price", () => {
    const { artifacts, ...total } = gainsOf(ANN_MAKES_IT, sells("ann", "bob", 48));
    expect(total).toEqual({ realised: 30, possible: 30, efficiency: 1 });
    expect(artifacts).toEqual([
      {
        ...{ artifact: "it", maker: "ann", owner: "bob", price: 48 },
        sales: [{ at_ms: 0, seller: "ann", buyer: "bob", price: 48 }],
        gains: [
          { agent: "ann", value: 30, gain: 18 },
          { agent: "bob", value: 60, gain: 12 },
        ],
        ...total,
      },
    ]);
  });

  it("of a good that is not sold are 0, also if its owner takes it back from the escrow", () => {
    const kept = { realised: 0, possible: 30, efficiency: 0 };
    expect(gainsOf(ANN_MAKES_IT)).toMatchObject(kept);
    const back = [gives("ann", ESCROW), acts("ann"), gives(ESCROW, "ann"), acts("ann")];
    expect(gainsOf(ANN_MAKES_IT, back)).toMatchObject({ ...kept, artifacts: [{ sales: [] }] });
    expect(gainsOf(ANN_MAKES_IT, back.slice(0, 2)).artifacts[0]?.owner).toBe("ann");
  });

  it("are not possible if no one values the good more than its maker", () => {
    const past = [...worth("ann", 60), ...worth("bob", 30), writes("ann", "it")];
    expect(gainsOf(past)).toMatchObject({ realised: 0, possible: 0, efficiency: null });
    const { artifacts, ...total } = gainsOf(past, sells("ann", "bob", 40));
    expect(total).toEqual({ realised: -30, possible: 0, efficiency: null });
    expect(artifacts[0]?.gains.map(({ gain }) => gain)).toEqual([-20, -10]);
  });

  it("of a good that no one made are lost, from the lowest value to the highest", () => {
    const { artifacts } = gainsOf(worth("ann", 30), worth("bob", 60), worth("cas", 45));
    expect(artifacts).toMatchObject([
      { maker: null, owner: null, price: null, realised: 0, possible: 30, efficiency: 0 },
    ]);
  });

  it("include those of a dealer without a value", () => {
    const past = [...ANN_MAKES_IT, ...worth("cas", null)];
    const { artifacts, efficiency } = gainsOf(
      past,
      sells("ann", "cas", 35),
      sells("cas", "bob", 50),
    );
    expect(efficiency).toBe(1);
    expect(artifacts[0]?.price).toBe(50);
    expect(artifacts[0]?.gains).toEqual([
      { agent: "ann", value: 30, gain: 5 },
      { agent: "bob", value: 60, gain: 10 },
      { agent: "cas", value: null, gain: 15 },
    ]);
  });

  it("are lost with a good that is deleted", () => {
    const deleted: Event = {
      ...{ kind: "artifact_deleted", at_ms: 0, principal: asId("bob") },
      ...{ artifact_id: asId("it"), by: asId("bob") },
    };
    const { artifacts } = gainsOf(ANN_MAKES_IT, sells("ann", "bob", 48), deleted);
    expect(artifacts).toMatchObject([{ owner: null, realised: -30, efficiency: -1 }]);
  });

  it("are 0 in a world without values", () => {
    const none = { artifacts: [], realised: 0, possible: 0, efficiency: null };
    expect(gainsOf(comes("ann", 5), writes("ann", "it"))).toEqual(none);
  });
});

describe("the price of a good", () => {
  const priceAfter = (...happens: readonly (Happens | readonly Happens[])[]) =>
    gainsOf(ANN_MAKES_IT, ...happens).artifacts[0]?.price;
  const pays = (amount: number): readonly Event[] => [
    moves(["bob", "ann"], amount, { reason: "transfer" }),
    acts("bob"),
  ];
  const takes = [gives("ann", "bob"), acts("bob")];

  it("is what the receiver of an offer pays before it accepts", () => {
    expect(priceAfter(offers("ann", "bob"), acts("ann"), pays(40), pays(5), takes)).toBe(45);
  });

  it("is 0 for a gift, and no part of what was paid at other times", () => {
    const ends = changes("ownership_offer_ended", ["ann", "bob"]);
    expect(priceAfter(pays(40), offers("ann", "bob"), acts("ann"), takes, pays(7))).toBe(0);
    expect(priceAfter(offers("ann", "bob"), pays(40), ends, offers("ann", "bob"), takes)).toBe(0);
  });

  it("belongs to the first good that is valued, if an action moves two, or two are offered", () => {
    const past = [...worth("ann", 30, { too: 1 }), ...worth("bob", 60), writes("ann", "it")];
    const priceAfter = (...happens: readonly (Happens | readonly Happens[])[]) =>
      gainsOf(past, ...happens).artifacts[0]?.price;
    const two = [writes("ann", "too"), offers("ann", "bob", "too"), offers("ann", "bob")];
    const other = [gives("ann", "bob", "too"), acts("bob")];
    expect(priceAfter(two, acts("ann"), pays(40), takes, other)).toBe(40);
    expect(priceAfter(two, acts("ann"), pays(40), other, takes)).toBe(0);
    const paid = moves(["bob", "ann"], 9, { by: "bob" });
    const both = [gives("ann", "bob", "too"), gives("ann", "bob"), acts("bob")];
    expect(priceAfter(writes("ann", "too"), paid, both)).toBe(0);
    const unknown = [gives("ann", "bob", "memory"), gives("ann", "bob"), acts("bob")];
    expect(priceAfter(writes("ann", "memory"), paid, unknown)).toBe(9);
  });

  describe("while other goods of its seller are offered", () => {
    const past = [
      ...worth("ann", null, { p1: 30, p2: 30, p3: 30 }),
      ...worth("bob", null, { p1: 60, p2: 60, p3: 60 }),
      ...["p1", "p2", "p3"].map((id) => writes("ann", id)),
      offers("ann", "bob", "p1"),
      acts("ann"),
    ];
    const salesAfter = (...happens: readonly (Happens | readonly Happens[])[]) =>
      gainsOf(past, ...happens).artifacts.map(({ sales }) =>
        sales.map(({ seller, buyer, price }) => `${seller}>${buyer}:${price}`).join(),
      );

    it("is what the buyer pays in the action that moves it", () => {
      const bought = [sells("ann", "bob", 45, "p2"), sells("ann", "bob", 50, "p3")];
      expect(salesAfter(...bought)).toEqual(["", "ann>bob:45", "ann>bob:50"]);
      const { artifacts } = gainsOf(past, ...bought);
      expect(artifacts[1]?.gains.map(({ gain }) => gain)).toEqual([15, 15]);
      const taken = [pays(40), ...bought, gives("ann", "bob", "p1"), acts("bob")];
      expect(salesAfter(...taken)).toEqual(["ann>bob:40", "ann>bob:45", "ann>bob:50"]);
    });

    it("is not paid for another, also if a program or no one who values it gets it", () => {
      const unvalued = [writes("ann", "memory"), sells("ann", "bob", 45, "memory")];
      const accepts = [gives("ann", "bob", "p1"), acts("bob")];
      expect(salesAfter(...unvalued, ...accepts)[0]).toBe("ann>bob:0");
      const dealt = [moves(["bob", "ann"], 45), gives("ann", "shop", "p2"), acts("bob")];
      expect(salesAfter(dealt, accepts)[0]).toBe("ann>bob:0");
    });

    it("is kept if another offer ends without a sale", () => {
      const two = [offers("ann", "bob", "p2"), acts("ann"), ...pays(40)];
      const ends = changes("ownership_offer_ended", ["ann", "bob"], "p1");
      const accepts = [gives("ann", "bob", "p2"), acts("bob")];
      expect(salesAfter(two, ends, accepts)[1]).toBe("ann>bob:40");
      expect(salesAfter(two, sells("ann", "cas", 5, "p1"), accepts)[1]).toBe("ann>bob:40");
      // It was paid before this offer.
      expect(salesAfter(pays(40), two.slice(0, 2), ends, accepts)[1]).toBe("ann>bob:0");
    });
  });
});
