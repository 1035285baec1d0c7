import { expect, it } from "vitest";
import { invitationIn, mailIn, mailText } from "../../../src/runner/minds/queue-mail.ts";

it.each([
  "",
  "null",
  "[]",
  "{}",
  '{"channel":"a-1"}',
  '{"channel":"a-1","kind":"frames"}',
  '{"channel":"a-1","kind":"welcome"}',
  '{"channel":"a-1","kind":"welcome","setup":1}',
  '{"channel":"a-1","kind":"hello"}',
  '{"channel":"a-1","kind":"end"}',
  '{"channel":"a-1","kind":"unknown"}',
  '{"channel":1,"kind":"beat"}',
])("ignores %s, which others could send", (text) => {
  expect(mailIn(text)).toBeNull();
  expect(invitationIn(text)).toBeNull();
});

it("reads what a run and a worker send", () => {
  const beat = { channel: "a-1", kind: "beat" } as const;
  expect(mailIn(mailText(beat))).toEqual(beat);
  const frames = { channel: "a-1", kind: "frames", batch: '{"took":0,"frames":[]}' } as const;
  expect(mailIn(mailText(frames))).toEqual(frames);
  const invitation = { channel: "a-1", host: "a" };
  expect(invitationIn(JSON.stringify(invitation))).toEqual(invitation);
});
