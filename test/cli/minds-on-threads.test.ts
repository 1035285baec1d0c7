import { describe, expect, it } from "vitest";
import { outcomeOf, THINKING, thinkersFolder } from "../support/minds.ts";
import { sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const FLAGS = [...THINKING, "--duration", "30"];

describe("--minds threads:N", () => {
  it("makes the journal that the thread of the run makes", () => {
    const cwd = thinkersFolder();
    const own = outcomeOf(sim(cwd, ...FLAGS));
    expect(outcomeOf(sim(cwd, ...FLAGS, "--minds", "threads:2"))).toEqual(own);
    expect(own.thinking.calls).toBeGreaterThan(20);
  });

  it("resumes a run on threads", () => {
    const cwd = thinkersFolder();
    const whole = outcomeOf(sim(cwd, ...FLAGS));
    sim(cwd, ...FLAGS, "--name", "half", "--stop-after", "15", "--minds", "threads:1");
    const rest = sim(cwd, "resume", "half", "--minds", "threads:2", "--json");
    expect(outcomeOf(rest).state_hash).toBe(whole.state_hash);
  });

  it.each(["threads", "threads:0", "threads:65", "thread:2", "2", "http://:secret@host"])(
    "refuses %j",
    (place) => {
      const refused = sim(thinkersFolder(), "run", "--minds", place);
      expectRefusal(refused, 2, /--minds must be threads:N, with N from 1 to 64, or redis:/);
      expect(refused.err).not.toContain("secret");
    },
  );
});
