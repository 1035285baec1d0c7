import { expect, it } from "vitest";
import { FrameLine } from "../../../src/runner/minds/frame-line.ts";
import type { PeerFrame } from "../../../src/runner/minds/peer.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const answer = (number: number, value: string): PeerFrame => ({ kind: "answer", number, value });

/** One end of a line, and the batches that it has sent. */
const endOf = () => {
  const [sent, taken]: [string[], PeerFrame[]] = [[], []];
  const line = new FrameLine({
    send: (batch) => sent.push(batch),
    take: (frame) => taken.push(frame),
  });
  return { line, sent, taken };
};

it("sends the frames of one turn of the event loop together", async () => {
  const [one, other] = [endOf(), endOf()];
  const frames = [answer(1, "a"), answer(2, "b")];
  for (const frame of frames) one.line.post(frame);
  await turn();
  expect(one.sent).toHaveLength(1);
  other.line.receive(one.sent[0] ?? "");
  expect(other.taken).toEqual(frames);
});

it("keeps few bytes on their way, and sends the rest when they are taken", async () => {
  const [one, other] = [endOf(), endOf()];
  const frames = Array.from({ length: 40 }, (_, n) => answer(n, "x".repeat(250_000)));
  for (const frame of frames) one.line.post(frame);
  await turn();
  expect(one.sent).toHaveLength(4);
  expect(one.sent.join("").length).toBeLessThan(2_500_000);
  while (one.sent.length > 0) {
    for (const batch of one.sent.splice(0)) other.line.receive(batch);
    await turn();
    for (const batch of other.sent.splice(0)) one.line.receive(batch);
    await turn();
  }
  expect(other.taken).toEqual(frames);
});

it("does not confirm confirmations", async () => {
  const [one, other] = [endOf(), endOf()];
  one.line.post(answer(1, "a"));
  await turn();
  other.line.receive(one.sent[0] ?? "");
  await turn();
  one.line.receive(other.sent[0] ?? "");
  await turn();
  expect([one.sent.length, other.sent.length]).toEqual([1, 1]);
});

it.each(["", "null", "[]", "{}", '{"took":1}', '{"took":0,"frames":[null]}'])(
  "ignores %j, which others could send",
  async (text) => {
    const { line, sent, taken } = endOf();
    line.receive(text);
    await turn();
    expect([sent, taken]).toEqual([[], []]);
  },
);
