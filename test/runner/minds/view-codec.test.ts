import { expect, it } from "vitest";
import { asId, must } from "../../../src/kernel/index.ts";
import { ViewReader, ViewWriter } from "../../../src/runner/minds/view-codec.ts";
import { offeringWith, viewWith } from "../../support/view.ts";

const SHOWN = { description: "doubles a number", methods: [] };
const DOUBLE = { ...offeringWith({ id: asId("double") }), interface: SHOWN };

it("brings a view over whole, and each interface once", () => {
  const view = viewWith({ market: [DOUBLE, offeringWith({ id: asId("plain") })], owned: [DOUBLE] });
  const [writer, reader] = [new ViewWriter(), new ViewReader()];
  const [first, second] = [writer.write(view), writer.write(view)];
  expect(first.split(SHOWN.description)).toHaveLength(2);
  expect(second).not.toContain(SHOWN.description);
  const [read, again] = [reader.read(first), reader.read(second)];
  expect(read).toEqual(view);
  expect(again).toEqual(view);
  // The text of an interface is kept for each object, so equal interfaces must be one object.
  expect(must(again.market[0], "it shows a program").interface).toBe(read.market[0]?.interface);
});
