import { expect, test } from "vitest";
import {
  candidatesScript,
  lexicalCandidates,
} from "../../../src/world/sandbox/lexical-functions.ts";

test.each([
  ["const f = () => 1", ["f"]],
  ["let f = function () {}", ["f"]],
  ["const f = x => x; const g = async (y) => y", ["f", "g"]],
  ["const price = 5; let name = 'x'; const list = [1]", []],
  ["const _secret = () => 1", []],
  ["// const if = () => 1", []],
  ["const f = () => 1; { const f = () => 2; }", ["f"]],
])("%s may declare %j", (code, names) => {
  expect(lexicalCandidates(code)).toEqual(names);
});

test("there are only so many", () => {
  const code = Array.from({ length: 500 }, (_, i) => `const f${i} = () => 1;`).join("\n");
  expect(lexicalCandidates(code)).toHaveLength(100);
});

test("the script asks for each without failing on those that are not there", () => {
  expect(candidatesScript(["a", "b"])).toBe(
    '[typeof a==="undefined"?0:a,typeof b==="undefined"?0:b]',
  );
});
