import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  readResponse,
  responseGuide,
  writtenResponse,
} from "../../../src/model/chat-text/response-text.ts";

const CALLS = { name: "calls", description: "what to call", required: false, example: "[]" };
const TO = { name: "to", description: "who gets the message", required: true, example: "bob" };
const ATTRIBUTES = [CALLS, TO];

const LOOK = '[{"tool":"look","args":{}}]';
const HEAD = "<response-metadata><attributes>";
const TAIL = "</attributes></response-metadata>";

const read = (reply: string) => {
  const { attributes, text } = readResponse(reply, ATTRIBUTES);
  return { ...Object.fromEntries(attributes), text };
};

describe("a reply with metadata", () => {
  const whole = `${HEAD}<calls>${LOOK}</calls><to>bob</to>${TAIL}\nMESSAGE TO SEND:\nHello.`;

  it("has attributes and a message", () => {
    expect(read(whole)).toEqual({ calls: LOOK, to: "bob", text: "Hello." });
  });

  it("is asked for with each attribute and an example that can be read", () => {
    const guide = responseGuide(ATTRIBUTES);
    expect(guide).toContain("RESPONSE FORMAT INSTRUCTIONS");
    expect(guide).toContain("- calls (optional): what to call\n- to (required): who gets");
    const example = guide.slice(guide.indexOf("<response-metadata>"));
    expect(read(example)).toEqual({ calls: "[]", to: "bob", text: "I take the next step." });
  });

  const CASES: readonly (readonly [what: string, reply: string, expected: object])[] = [
    ["no metadata", "Hello.", { text: "Hello." }],
    ["nothing", "", { text: "" }],
    ["only a marker", "MESSAGE TO SEND: Hello.", { text: "Hello." }],
    ["words before the marker", `Sure!\n${whole}`, { calls: LOOK, to: "bob", text: "Hello." }],
    ["no marker", `${HEAD}<calls>${LOOK}</calls>${TAIL}\nHello.`, { calls: LOOK, text: "Hello." }],
    [
      "metadata after the text",
      `MESSAGE TO SEND: Hello.\n${HEAD}<calls>${LOOK}</calls>${TAIL}`,
      { calls: LOOK, text: "Hello." },
    ],
    [
      "metadata after the text, and no marker",
      `Hello.\n${HEAD}<calls>${LOOK}</calls>${TAIL}`,
      { calls: LOOK, text: "Hello." },
    ],
    [
      "& and < that are not escaped",
      `${HEAD}<to>a & b < c</to>${TAIL}MESSAGE TO SEND: x`,
      { to: "a & b < c", text: "x" },
    ],
    [
      "& and < that are escaped",
      `${HEAD}<to>a &amp; b &lt; c</to>${TAIL}MESSAGE TO SEND: x`,
      { to: "a & b < c", text: "x" },
    ],
    [
      "no end of the block",
      `${HEAD}<calls>${LOOK}</calls>\nMESSAGE TO SEND:\nHello.`,
      { calls: LOOK, text: "Hello." },
    ],
    [
      "no end of an attribute",
      `${HEAD}<to>bob<calls>${LOOK}${TAIL}MESSAGE TO SEND: Hello.`,
      { calls: LOOK, to: "bob", text: "Hello." },
    ],
    [
      "no end of anything",
      `${HEAD}<to>bob\nMESSAGE TO SEND: Hello.`,
      { to: "bob", text: "Hello." },
    ],
    ["no end and no marker", `${HEAD}<to>bob`, { to: "bob", text: "" }],
    ["no end and no marker after a list", `<calls>${LOOK}\nHi`, { calls: LOOK, text: "Hi" }],
    ["no tags around the attributes", `<calls>${LOOK}</calls>Hi`, { calls: LOOK, text: "Hi" }],
    [
      "a fence around the block",
      `\`\`\`xml\n${HEAD}<to>bob</to>${TAIL}\n\`\`\`\nMESSAGE TO SEND:\nHello.`,
      { to: "bob", text: "Hello." },
    ],
    [
      "a fence around the block, and no marker",
      `\`\`\`\n${HEAD}<to>bob</to>${TAIL}\n\`\`\`\nHello.`,
      { to: "bob", text: "Hello." },
    ],
    [
      "a fence around everything",
      `\`\`\`\n${whole}\n\`\`\``,
      { calls: LOOK, to: "bob", text: "Hello." },
    ],
    [
      "a fence around the list",
      `${HEAD}<calls>\`\`\`json\n${LOOK}\n\`\`\`</calls>${TAIL}MESSAGE TO SEND: Hi`,
      { calls: LOOK, text: "Hi" },
    ],
    [
      "CDATA",
      `${HEAD}<calls><![CDATA[${LOOK}]]></calls><to><![CDATA[bob]]></to>${TAIL}Hi`,
      { calls: LOOK, to: "bob", text: "Hi" },
    ],
    [
      "several blocks",
      `${HEAD}<to>bob</to>${TAIL}\n${HEAD}<to>eve</to>${TAIL}\nMESSAGE TO SEND: Hi`,
      { to: "bob", text: "Hi" },
    ],
    [
      "a second block in a first one without an end",
      `${HEAD}<to>bob</to>${HEAD}<to>eve</to>${TAIL}MESSAGE TO SEND: Hi`,
      { to: "bob", text: "Hi" },
    ],
    ["empty values", `${HEAD}<calls></calls><to> </to>${TAIL}Hi`, { text: "Hi" }],
    [
      "tags in other letters",
      `<Calls>${LOOK}</CALLS>\nmessage to send: Hi`,
      { calls: LOOK, text: "Hi" },
    ],
    ["a marker in bold", `${HEAD}${TAIL}\n**MESSAGE TO SEND:** Hi`, { text: "Hi" }],
    ["stray ends", "Hi </attributes></response-metadata>there", { text: "Hi   there" }],
  ];
  for (const [what, reply, expected] of CASES) {
    it(`is read with ${what}`, () => expect(read(reply)).toEqual(expected));
  }

  it("can have tags and the marker in the texts of its list", () => {
    const args = { text: `</calls>${TAIL}MESSAGE TO SEND: <calls>` };
    const list = JSON.stringify([{ tool: "write_file", args }]);
    expect(read(`${HEAD}<calls>${list}</calls>${TAIL}MESSAGE TO SEND: Hi`)).toEqual({
      calls: list,
      text: "Hi",
    });
  });

  it("can have line breaks in texts, and commas after the last entry", () => {
    const list = '[{"tool": "write_file", "args": {"text": "a\n\tb, ]",},},]';
    const { attributes } = readResponse(`<calls>${list}</calls>`, ATTRIBUTES);
    expect(JSON.parse(attributes.get("calls") ?? "")).toEqual([
      { tool: "write_file", args: { text: "a\n\tb, ]" } },
    ]);
  });
});

const METADATA = /<\/?(?:response-metadata|attributes|calls|to)(?![\w-])/i;

/** Pieces that a model may put together in any order. */
const piece = fc.oneof(
  fc.constantFrom("<response-metadata>", "</response-metadata>", "<attributes>", "</attributes>"),
  fc.constantFrom("<calls>", "</calls>", "<to>", "</to>", "MESSAGE TO SEND:", "```", "```xml\n"),
  fc.constantFrom("<", "</", ">", "[", "]", "{", '"', "\\", "\n", "<![CDATA[", "]]>", LOOK, "&lt;"),
  fc.string({ maxLength: 8 }),
);

describe("any reply", () => {
  const replies = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
  );

  it("is read without an error, and no tag of metadata is in the text", () => {
    fc.assert(
      fc.property(replies, (reply) => {
        expect(readResponse(reply, ATTRIBUTES).text).not.toMatch(METADATA);
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps the value of an attribute out of the text if a tag is missing", () => {
    const tags = ["<response-metadata>", "<attributes>", "</to>", "</attributes>"];
    const dropped = fc.constantFrom(...tags, "</response-metadata>", "");
    fc.assert(
      fc.property(dropped, fc.boolean(), (tag, isFenced) => {
        const block = `${HEAD}<to>secret</to>${TAIL}`.replace(tag, "");
        const first = isFenced ? `\`\`\`xml\n${block}\n\`\`\`` : block;
        expect(read(`${first}\nMESSAGE TO SEND:\nHello.`)).toEqual({
          to: "secret",
          text: "Hello.",
        });
      }),
    );
  });

  it("that was written in this form is read as it was", () => {
    const word = fc.stringMatching(/^[a-z &<'.,]{1,20}$/).map((text) => text.trim());
    fc.assert(
      fc.property(word, word, fc.json(), (to, text, json) => {
        fc.pre(to !== "" && /^[[{]/.test(json));
        const attributes = new Map([
          ["calls", json],
          ["to", to],
        ]);
        expect(readResponse(writtenResponse({ attributes, text }), ATTRIBUTES)).toEqual({
          attributes,
          text,
        });
      }),
    );
  });

  it("with very many tags is read in a short time", () => {
    for (const part of ["<calls>[", "<to>", "<calls>x</to>", "</to><calls>{", "```", "<to>```"]) {
      const startedMs = performance.now();
      readResponse(part.repeat(20_000), ATTRIBUTES);
      expect(performance.now() - startedMs).toBeLessThan(3_000);
    }
  });
});
