import { expect, it } from "vitest";
import { thinkersFolder } from "../support/minds.ts";
import { sim, simWith } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

it.each(["threads", "threads:0", "threads:65", "thread:2", "2", "http://:secret@host"])(
  "--minds refuses %j",
  (place) => {
    const refused = sim(thinkersFolder(), "run", "--minds", place);
    expectRefusal(refused, 2, /--minds must be threads:N, with N from 1 to 64, redis:/);
    expect(refused.err).not.toContain("secret");
  },
);

it("--minds names a server that it cannot reach, without the password", () => {
  const refused = sim(thinkersFolder(), "run", "--minds", "redis://:secret@127.0.0.1:1");
  expectRefusal(refused, 3, /cannot reach Redis at redis:\/\/127\.0\.0\.1:1/);
  expect(refused.err).not.toContain("secret");
});

it("--minds takes the address from an environment variable, and never prints its password", () => {
  const variables = { MINDS: "redis://:secret@127.0.0.1:1" };
  const refused = simWith({ variables }, thinkersFolder(), ["run", "--minds", "env:MINDS"]);
  expectRefusal(refused, 3, /cannot reach Redis at redis:\/\/127\.0\.0\.1:1/);
  expect(refused.err).not.toContain("secret");
  const unset = sim(thinkersFolder(), "run", "--minds", "env:NOT_SET");
  expectRefusal(unset, 2, "--minds: set the environment variable NOT_SET");
});
