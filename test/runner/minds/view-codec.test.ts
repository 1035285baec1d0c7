import { expect, it } from "vitest";
import { asId, must, type View } from "../../../src/kernel/index.ts";
import { ViewReader, ViewWriter } from "../../../src/runner/minds/view-codec.ts";
import { offeringWith, viewWith } from "../../support/view.ts";

const SHOWN = { description: "doubles a number", methods: [] };
const DOUBLE = { ...offeringWith({ id: asId("double") }), interface: SHOWN };

const NO_FACTS = { target: null, method: null, other: null, amount: null, code: null };
const EVENT = { n: 1, at_ms: 5, kind: "bid_placed", principal: asId("ann"), ...NO_FACTS } as const;

/** A writer and its reader. `sent` is the last view as it travels. */
const line = () => {
  const [writer, reader] = [new ViewWriter(), new ViewReader()];
  let sent = "";
  const bring = (view: View): View => {
    sent = JSON.stringify(writer.write(view));
    return reader.read(JSON.parse(sent));
  };
  return { bring, sent: () => sent };
};

it("brings a view over whole, and each of its parts once", () => {
  const market = [DOUBLE, offeringWith({ id: asId("plain") })];
  const view = { ...viewWith({ market, owned: [DOUBLE] }), events: [EVENT] };
  const { bring, sent } = line();
  const read = bring(view);
  expect(read).toEqual(view);
  expect(sent().split(SHOWN.description)).toHaveLength(2);
  expect(bring(view)).toEqual(view);
  for (const text of [SHOWN.description, "plain", EVENT.kind]) expect(sent()).not.toContain(text);
  // What is made from a part, such as its lines in a prompt, is kept for each object.
  const changed = { ...DOUBLE, calls: 7 };
  const again = bring({ ...view, market: [changed], owned: [] });
  expect(again.market).toEqual([changed]);
  expect(sent()).not.toContain("plain");
  expect(must(again.market[0], "it shows a program").interface).toBe(read.market[0]?.interface);
});

it("starts again when it has shown many parts", () => {
  const { bring, sent } = line();
  const many = Array.from({ length: 20_001 }, (_, n) => offeringWith({ id: asId(`program_${n}`) }));
  bring(viewWith({ market: many }));
  const view = viewWith({ market: many.slice(0, 2) });
  expect(bring(view)).toEqual(view);
  expect(sent()).toContain("program_1");
  expect(bring(view)).toEqual(view);
  expect(sent()).not.toContain("program_1");
});
