import { expect, it } from "vitest";
import { type ChatMessage, messagesIn, writtenMessages } from "../../src/model/port/chat.ts";

const said = (text: string): ChatMessage => ({ role: "user", text });

it("writes a list that grew, shrank or has another end like a new list", () => {
  const [first, second, third] = [said("Look."), said('"quoted", é'), said("End.")];
  const lists = [
    [first, second],
    [first, second, third],
    [first],
    [first, third],
    [first, said("Another."), third],
    [second, third],
    [],
  ];
  for (const list of lists) {
    expect(writtenMessages(list)).toBe(JSON.stringify(list));
    expect(messagesIn(writtenMessages(list))).toEqual(list);
  }
});
