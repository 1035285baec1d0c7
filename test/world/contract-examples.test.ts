import { describe, expect, it } from "vitest";
import { PHYSICS } from "../support/physics.ts";
import { expectRefused, fileSandbox, resultOf, TestWorld } from "../support/test-world.ts";

const sandbox = fileSandbox();

const WINDOW_MS = PHYSICS.resources.window_ms;

/** Alice writes, carol owns the contracts, bob and dave read. Each has 100 scrip. */
const world = (): TestWorld =>
  new TestWorld(sandbox).agent("alice").agent("bob").agent("carol").agent("dave");

const balances = (v: TestWorld, ...ids: readonly string[]) => ids.map((id) => v.scrip(id));

describe("pay per read, with a fee to a third party", () => {
  const press = (): TestWorld => {
    const v = world();
    const code = `
      function check_permission({ caller, verb, owner }) {
        if (verb !== "read" || caller === owner) return { allowed: caller === owner };
        return { allowed: true, cost: 2, recipient: "carol" };
      }`;
    v.program("carol", "press_law", code);
    v.must(v.writes("alice", "paper", { content: "news", access: "press_law", read_price: 5 }));
    return v;
  };

  it("gives the price to the owner and the fee to the third party at every read", () => {
    const v = press();
    expect(v.must(v.reads("bob", "paper", 7)).charged.scrip).toBe(7);
    v.must(v.reads("bob", "paper", 7));
    expect(balances(v, "alice", "bob", "carol")).toEqual([110, 86, 104]);
  });

  it("limits price plus fee by max_price", () => {
    const v = press();
    expectRefused(v.reads("bob", "paper", 6), "price_exceeded");
    expect(balances(v, "alice", "bob", "carol")).toEqual([100, 100, 100]);
  });

  it("charges a program that reads, and lets the owner read for free", () => {
    const v = press();
    const code = `function run() { return kernel.read("paper", { max_price: 7 }).content }`;
    v.program("bob", "digest", code);
    expectRefused(v.calls("dave", "digest"), "runtime_error");
    expect(resultOf(v.calls("dave", "digest", [], { attach: { scrip: 9 } }))).toBe("news");
    v.must(v.reads("alice", "paper"));
    expect(balances(v, "alice", "bob", "carol", "dave")).toEqual([105, 100, 102, 93]);
  });
});

describe("a subscription by a contract with standing", () => {
  const CLUB = `
    function join() {
      if (attached.scrip < 10) kernel.fail("too_little", "a period costs 10");
      return _until(caller);
    }
    function renew(member) {
      if (_paid(member) > kernel.now()) kernel.fail("not_yet", "it is paid");
      kernel.charge(member, 10);
      return _until(member);
    }
    function _until(member) {
      state.paid = state.paid ?? {};
      state.paid[member] = kernel.now() + 30000;
      return state.paid[member];
    }
    function _paid(member) {
      return Object.hasOwn(state.paid ?? {}, member) ? state.paid[member] : 0;
    }
    function check_permission({ caller, verb, owner }) {
      const allowed = caller === owner || (verb === "read" && _paid(caller) > kernel.now());
      return { allowed, reason: "join the club for 10" };
    }`;
  const club = (): TestWorld => {
    const v = world();
    v.standing("carol", "club", { code: CLUB, disk: 3_000 });
    v.must(v.writes("carol", "letters", { content: "secret", access: "club" }));
    return v;
  };
  const join = (v: TestWorld, who: string) =>
    v.calls(who, "club.join", [], { attach: { scrip: 10 } });

  it("lets members in until their period ends", () => {
    const v = club();
    expect(v.reads("bob", "letters").message).toMatch(/join the club for 10/);
    v.must(join(v, "bob"));
    v.must(v.reads("bob", "letters"));
    expectRefused(v.reads("dave", "letters"), "not_authorized");
    v.atMs += 30_000;
    expectRefused(v.reads("bob", "letters"), "not_authorized");
    expect(balances(v, "bob", "club")).toEqual([90, 10]);
  });

  it("can be renewed by anyone, from the member's account, if the member granted it", () => {
    const v = club();
    v.must(join(v, "bob"));
    v.atMs += 30_000;
    expect(v.calls("dave", "club.renew", ["bob"]).message).toMatch(/bob has not agreed/);
    v.must(v.calls("bob", "genesis_ledger.grant", ["club", 10, 10]));
    v.must(v.calls("dave", "club.renew", ["bob"]));
    v.must(v.reads("bob", "letters"));
    expect(balances(v, "bob", "club", "dave")).toEqual([80, 20, 100]);
  });

  it("takes at most what the grant allows per window, and nothing after it is revoked", () => {
    const v = club();
    v.must(v.calls("bob", "genesis_ledger.grant", ["club", 10, 10]));
    v.must(v.calls("dave", "club.renew", ["bob"]));
    v.atMs += 30_000;
    expect(v.calls("dave", "club.renew", ["bob"]).message).toMatch(/0 is left/);
    v.atMs += WINDOW_MS - 30_000;
    v.must(v.calls("dave", "club.renew", ["bob"]));
    v.must(v.calls("bob", "genesis_ledger.revoke", ["club"]));
    v.atMs += WINDOW_MS;
    expect(v.calls("dave", "club.renew", ["bob"]).success).toBe(false);
    expect(balances(v, "bob", "club")).toEqual([80, 20]);
  });

  it("cannot charge anyone during a permission check", () => {
    const v = world();
    const code = `
      function check_permission() { kernel.charge("bob", 1); return { allowed: true } }`;
    v.standing("carol", "greedy", { code });
    v.must(v.calls("bob", "genesis_ledger.grant", ["greedy", 10, 10]));
    v.must(v.writes("carol", "bait", { content: "x", access: "greedy" }));
    expectRefused(v.reads("dave", "bait"), "not_authorized");
    expect(balances(v, "bob", "carol", "greedy")).toEqual([100, 100, 0]);
  });
});

describe("a licence", () => {
  it("lets its current owner in", () => {
    const v = world();
    const code = `
      function check_permission({ caller, owner }) {
        const { owner: holder, type } = kernel.query("artifact", { id: "licence" });
        return { allowed: caller === owner || (type === "licence" && caller === holder) };
      }`;
    v.program("alice", "licence_law", code);
    v.must(v.writes("alice", "licence", { artifact_type: "licence", content: "for one" }));
    v.program("alice", "engine", "function run() { return 42 }", { access: "licence_law" });
    expectRefused(v.calls("bob", "engine"), "not_authorized");
    v.hands("licence", ["alice", "bob"]);
    expect(resultOf(v.calls("bob", "engine"))).toBe(42);
    expectRefused(v.calls("dave", "engine"), "not_authorized");
    expect(resultOf(v.calls("alice", "engine"))).toBe(42);
  });
});

describe("a sponsor of other agents' calls", () => {
  const sponsored = (): TestWorld => {
    const v = world();
    const code = `
      function check_permission({ verb }) {
        const cost = verb === "invoke" ? 4 : 0;
        return { allowed: true, cost, payer: "dave", recipient: "carol" };
      }`;
    v.program("carol", "sponsor_law", code);
    v.program("alice", "course", "function run() { return 'taught' }", { access: "sponsor_law" });
    return v;
  };

  it("is charged only with consent", () => {
    const v = sponsored();
    const words = /names dave as payer: dave has not agreed/;
    expectRefused(v.calls("bob", "course"), "not_authorized", words);
    expect(balances(v, "alice", "bob", "carol", "dave")).toEqual([100, 100, 100, 100]);
  });

  it("is charged within what it allowed for a call and for a window", () => {
    const v = sponsored();
    const grant = (...bounds: readonly number[]) =>
      v.must(v.calls("dave", "genesis_ledger.grant", ["sponsor_law", ...bounds]));
    grant(3, 100);
    expect(v.calls("bob", "course").message).toMatch(/3 per call, not 4/);
    grant(4, 10);
    v.must(v.calls("bob", "course"));
    v.must(v.calls("bob", "course"));
    expect(v.calls("bob", "course")).toMatchObject({ error_code: "rate_limited", retriable: true });
    expect(balances(v, "bob", "carol", "dave")).toEqual([100, 108, 92]);
    v.atMs += WINDOW_MS;
    v.must(v.calls("bob", "course"));
    expect(balances(v, "bob", "carol", "dave")).toEqual([100, 112, 88]);
  });

  it("gets its scrip and its window back when the call fails", () => {
    const v = sponsored();
    v.must(v.calls("dave", "genesis_ledger.grant", ["sponsor_law", 4, 4]));
    v.must(v.writes("alice", "course", { code: "function run() { kernel.fail('ill', 'no') }" }));
    expectRefused(v.calls("bob", "course"), "rejected_by_artifact");
    expect(balances(v, "carol", "dave")).toEqual([100, 100]);
    const { given } = resultOf(v.calls("dave", "genesis_ledger.grants")) as {
      readonly given: readonly { readonly left_in_window: number }[];
    };
    expect(given.map(({ left_in_window }) => left_in_window)).toEqual([4]);
  });
});

describe("a contract that charges for writing", () => {
  const wall = (): TestWorld => {
    const v = world();
    const code = `
      function check_permission({ verb }) {
        return { allowed: true, cost: verb === "write" ? 6 : 0, recipient: "carol" };
      }`;
    v.program("carol", "wall_law", code);
    v.must(v.writes("alice", "wall", { content: "blank", access: "wall_law" }));
    return v;
  };

  it("is paid by the writer, up to its max_price", () => {
    const v = wall();
    const write = (max_price: number | null) =>
      v.writes("bob", "wall", { content: "bob was here", max_price });
    expectRefused(write(5), "price_exceeded");
    expect(balances(v, "bob", "carol")).toEqual([100, 100]);
    expect(v.must(write(6)).charged.scrip).toBe(6);
    v.must(write(null));
    expect(balances(v, "alice", "bob", "carol")).toEqual([100, 88, 112]);
    const row = [...v.state.artifacts.rows()].find(({ id }) => id === "wall");
    expect(Object.keys(row ?? {})).not.toContain("max_price");
  });

  it("respects the max_price of a program", () => {
    const v = wall();
    const code = `
      function run(max_price) {
        return kernel.write({ artifact_id: "wall", content: "by program", max_price }).version;
      }`;
    v.standing("bob", "painter", { code, scrip: 20 });
    expect(v.calls("dave", "painter", [5]).message).toMatch(/costs 6 scrip now/);
    expect(resultOf(v.calls("dave", "painter", [6]))).toBe(2);
    expect(balances(v, "painter", "carol", "dave")).toEqual([14, 106, 100]);
  });

  it.each([-1, 0.5, "6", {}])("refuses %j as max_price", (max_price) => {
    expectRefused(
      wall().writes("bob", "wall", { content: "x", max_price }),
      "invalid_argument",
      /max_price must be a whole number/,
    );
  });
});
