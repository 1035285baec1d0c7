import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seatWorld, seatWorldIn, stopped } from "../support/seat-world.ts";
import { type RunningSim, sim, simWith } from "../support/sim.ts";
import { sharedFolder } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const VIRTUAL = ["--clock", "virtual"];
const WALL = ["--clock", "wall"];

type Answer = { readonly ok: boolean; readonly problem?: string };

/** The answers of `sim seat --json` to these lines. Its exit code is 1 if one of them failed. */
const played = (cwd: string, ...lines: readonly string[]) => {
  const { code, out, err } = simWith({ lines }, cwd, ["seat", "live", "ada", "--json"]);
  const answers = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const isDone = answers.every(({ ok }: Answer) => ok);
  expect([code, err]).toEqual([isDone ? 0 : 1, ""]);
  return answers;
};

describe("sim seat", () => {
  it("lets a script buy, sell and answer a message, and the journal verifies", async () => {
    const { cwd, run } = await seatWorld(...VIRTUAL);
    const [waited, inbox, ...first] = played(
      cwd,
      "wait 30",
      "inbox",
      "send shop A program that adds one.",
      "search doubles",
      "buy shop_doubler 21",
      "write ada_next next.js",
      "sell ada_next 4",
      "quit",
    );
    expect(waited).toMatchObject({ command: "wait", ok: true, result: { woke: "message" } });
    expect(inbox.result.unread).toMatchObject([{ from: "shop", text: "What do you sell?" }]);
    expect(first.map(({ command, ok }) => [command, ok])).toEqual([
      ["send", true],
      ["search", true],
      ["buy", true],
      ["write", true],
      ["sell", true],
    ]);
    expect(first[2]).toMatchObject({ price: 3, result: { result: 42, cost: { scrip: 3 } } });
    const [, looked] = played(cwd, "wait 120", "look");
    expect(looked.result.values).toEqual({ shop_doubler: 8 });
    expect(looked.result.artifacts).toMatchObject([
      { id: "ada_next", price: 4, calls_by_others: expect.toSatisfy((calls) => calls > 0) },
    ]);
    expect(looked.result.balances.scrip).toBeGreaterThan(100);
    expect(await stopped(run)).toBe(130);
    expect(sim(cwd, "verify", "live").code).toBe(0);
    expectRefusal(sim(cwd, "seat", "live", "ada"), 3, /live is not running; `sim resume live`/);
  });

  it("publishes texts and interfaces, attaches scrip and bids at the mint", async () => {
    const { cwd } = await seatWorld(...VIRTUAL);
    const code = "function run() { return attached.scrip }";
    const method = { name: "run", description: "Counts.", input_schema: { type: "object" } };
    const declared = { description: "Counts scrip.", methods: [method] };
    writeFileSync(join(cwd, "till.json"), JSON.stringify({ code, interface: declared, price: 2 }));
    writeFileSync(join(cwd, "letter.txt"), "dear reader");
    const answers = played(
      cwd,
      "write ada_till till.json",
      "invoke ada_till run [] --attach 7",
      "write ada_letter letter.txt",
      "sell ada_letter 6",
      "read ada_letter",
      "wait 10",
      "bid ada_till 5",
      "look",
    );
    const look = answers.at(-1).result;
    expect(answers.slice(0, -1).map(({ ok }) => ok)).toEqual(Array(7).fill(true));
    expect(answers[1]).toMatchObject({ result: { result: 7 } });
    expect(answers[4]).toMatchObject({ result: { result: "dear reader" } });
    expect(look.mint.own).toMatchObject([{ artifact: "ada_till", amount: 5 }]);
    expect(look.artifacts).toMatchObject([
      { id: "ada_letter", read_price: 6, price: 0 },
      { id: "ada_till", price: 2, description: "Counts scrip." },
    ]);
  });

  it("answers a message, and attaches scrip to one", async () => {
    const { cwd } = await seatWorld(...VIRTUAL);
    const answers = played(
      cwd,
      "wait 30",
      "reply 1 A program that adds one.",
      "send shop For you. --attach 3",
      "look",
      "reply 7 Yes.",
      "reply one Yes.",
    );
    const { sent } = answers[3].result.mailbox;
    expect(sent).toMatchObject([
      { to: "shop", text: "A program that adds one.", reply_to: 1, thread: 1 },
      { to: "shop", text: "For you.", reply_to: null, attached_scrip: 3 },
    ]);
    expect(answers.slice(-2).map(({ problem }: Answer) => problem)).toEqual([
      "your mailbox has no message 7; `inbox` shows them",
      "usage: reply N TEXT",
    ]);
  });

  it("buys for the price that a search has shown after the last look", async () => {
    const { cwd } = await seatWorld(...VIRTUAL);
    const answers = played(
      cwd,
      "write ada_next next.js",
      "look",
      "sell ada_next 4",
      "search ada_next",
      "buy ada_next 1",
    );
    expect(answers.at(-1)).toMatchObject({ ok: true, price: 4, result: { result: 2 } });
  });

  it("shows a person money, market, messages and the handbook", async () => {
    const { cwd } = await seatWorld(...VIRTUAL);
    const lines = [
      ...["wait 30", "look", "inbox", "buy shop_doubler 4", "help", "help tools"],
      ...["search doubles a", "search unicorns"],
    ];
    const { out, err } = simWith({ lines }, cwd, ["seat", "live", "ada"]);
    expect(err).toBe("you have the seat of ada; help lists the commands\n");
    expect(out).toMatch(/a message has arrived; inbox/);
    expect(out).toMatch(/^ada at [\d.]+ s of 36000 s, it is your move$/m);
    expect(out).toMatch(/^100 scrip; left: \d+ actions/m);
    expect(out).toContain("\nTo you, shop_doubler is worth 8 scrip. No one else knows this.\n");
    expect(out).toMatch(/^shop_doubler\tshop\t3\t0\t0\tDoubles a number\.$/m);
    expect(out).toMatch(
      /^[\d.]+ s {2}message 1 from shop to ada \(not read\)\n {2}What do you sell\?$/m,
    );
    expect(out).toMatch(/^the price is 3 scrip\nshop_doubler\.run for 3 scrip:\n8$/m);
    expect(out).toMatch(/^bid ID N +bid N scrip at the mint/m);
    expect(out).toMatch(/^# How to write a program$/m);
    const head = "id\towner\tprice\tread\tcalls\tdescription\n";
    expect(out).toContain(`found:\n${head}shop_doubler\tshop\t3\t0\t1\tDoubles a number.\n`);
    expect(out).toMatch(/^nothing is found$/m);
  });

  it("is named once by a run in simulated time that waits for it", async () => {
    const { cwd, run } = await seatWorld(...VIRTUAL, "--json");
    const note = "note: the run waits for a move of ada; `sim seat live ada` takes the seat\n";
    const notes = () => run.outputSoFar().err.split(note).length - 1;
    await run.until(/the run waits for a move/);
    expect(notes()).toBe(1);
    played(cwd, "look", "wait 30", "look");
    await expect.poll(notes).toBe(2);
    expect(await stopped(run)).toBe(130);
    const { out, err } = run.outputSoFar();
    expect(JSON.parse(out)).toMatchObject({ stopped_by: "signal" });
    expect(err).not.toContain("bob");
  });
});

describe("sim seat of a run on the wall clock", () => {
  const cwd = sharedFolder();
  let run: RunningSim;

  beforeAll(async () => {
    ({ run } = await seatWorldIn(cwd, ...WALL));
  });
  afterAll(() => stopped(run));

  it("answers each mistake with one line", () => {
    const problems = played(
      cwd,
      "dance",
      "lok",
      "sell",
      "sell ada_next many",
      "buy nothing",
      "sell ada_next 5",
      "send bob hi --attach -1",
      'invoke genesis_ledger transfer "bob", 5',
      "invoke genesis_ledger transfer bob 5",
      "invoke genesis_ledger nope",
      "write ada_next missing.js",
      "wait soon",
      "wait 90000",
      "bid ada_next 5 6",
      "send shop",
      "send shop --attach 3",
      "help actoins",
    ).map(({ problem = null }) => problem);
    expect(problems).toEqual([
      'there is no command "dance"; help lists the commands',
      'there is no command "lok"; did you mean `look`?',
      "usage: sell ID PRICE; amounts are whole numbers of scrip",
      "usage: sell ID PRICE; amounts are whole numbers of scrip",
      "nothing is not in the last look or search; search for it, then buy it",
      'you own no artifact "ada_next"; you own none yet',
      "usage: send TO TEXT [--attach N]; amounts are whole numbers of scrip",
      null,
      '"bob 5" is not JSON; write values with commas between them, such as 21, "a text", [1, 2]',
      expect.stringContaining("nope"),
      "missing.js: cannot be read: no such file or directory",
      "usage: wait [S]; S is a number of seconds",
      "a wait takes at most 86400 s",
      "usage: bid ID N; amounts are whole numbers of scrip",
      "usage: send TO TEXT [--attach N]; amounts are whole numbers of scrip",
      "usage: send TO TEXT [--attach N]; amounts are whole numbers of scrip",
      'there is no page "actoins"; did you mean `actions`?',
    ]);
  });

  it("has the exit code 1 if a command of a script fails", () => {
    const ended = (...args: readonly string[]) =>
      simWith({ lines: ["read nothing", "look"] }, cwd, ["seat", "live", "ada", ...args]).code;
    expect(ended("--json")).toBe(1);
    expect(ended()).toBe(0);
    const { code } = simWith({ lines: ["look"] }, cwd, ["seat", "live", "ada", "--json"]);
    expect(code).toBe(0);
  });

  it("says which seats a run has", () => {
    const seat = (name: string) => sim(cwd, "seat", "live", name);
    expectRefusal(seat("adda"), 1, 'live has no seat "adda"; did you mean `ada`?');
    expectRefusal(seat("shop"), 1, 'live has no seat "shop"; there are ada, bob');
  });

  it("makes no one wait", () => {
    const [looked] = played(cwd, "wait 0.1", "look").slice(1);
    expect(looked.result).toMatchObject({ to_move: true });
    expect(run.outputSoFar().err).not.toContain("waits for a move");
  });
});
