import { describe, expect, it } from "vitest";
import { asId, type View } from "../../src/kernel/index.ts";
import { seatLook } from "../../src/seats/core/seat-look.ts";
import { offeringWith, viewWith } from "../support/view.ts";

const MOMENT = { clock: "virtual", to_move: true } as const;
const COUNT = 40;
const NUMBERS = Array.from({ length: COUNT }, (_, index) => index + 1);

const letter = (number: number, text: string): View["mailbox"]["read"][number] => ({
  number,
  atMs: number,
  from: asId("them"),
  to: asId("me"),
  text,
  replyTo: null,
  forwards: null,
  path: [],
  thread: number,
  scrip: 0,
  reset: null,
});

const concern = (n: number, text: string): View["inbox"]["recent"][number] => ({
  n,
  at_ms: n,
  kind: "artifact_written",
  principal: asId("them"),
  target: "note",
  method: null,
  other: null,
  code: null,
  amount: null,
  text,
});

/** A view whose lists have 40 entries, the newest last. Each has a text of this length. */
const longView = (chars: number): View => {
  const view = viewWith({ acted: true, lastResult: "x".repeat(chars) });
  const text = "x".repeat(chars);
  const letters = NUMBERS.map((number) => letter(number, text));
  const concerns = NUMBERS.map((n) => concern(n, text));
  return {
    ...view,
    market: NUMBERS.map((n) => offeringWith({ id: asId(`thing_${n}`), description: text })),
    mailbox: { ...view.mailbox, unread: letters, read: letters, sent: letters },
    inbox: { ...view.inbox, recent: concerns },
    events: concerns,
  };
};

describe("a look that would be too long", () => {
  it("keeps the newest events and messages, and the first unread messages", () => {
    const look = seatLook(longView(2_000), MOMENT);
    expect(look.cut).toBe(true);
    const { mailbox, events, concerns, market } = look;
    expect(mailbox.unread[0]).toMatchObject({ message: 1 });
    expect(market[0]?.id).toBe("thing_1");
    for (const list of [mailbox.read, mailbox.sent]) {
      expect(list.at(-1)).toMatchObject({ message: COUNT });
      expect(list.length).toBeLessThan(COUNT);
    }
    for (const list of [events, concerns]) expect(list.at(-1)?.n).toBe(COUNT);
  });

  it("is short enough whatever the last result and the lists are", () => {
    for (const chars of [10, 1_000, 20_000, 200_000]) {
      const look = seatLook(longView(chars), MOMENT);
      expect(JSON.stringify(look).length).toBeLessThanOrEqual(150_000);
      expect(look.last?.cut).toBe(chars > 100_000);
    }
  });

  it("is whole if it is short", () => {
    const look = seatLook(longView(10), MOMENT);
    expect([look.cut, look.events.length]).toEqual([false, COUNT]);
  });
});
