import { describe, expect, it } from "vitest";
import { outcomeOf, THINKING, thinkersFolder } from "../support/minds.ts";
import { sim } from "../support/sim.ts";

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
});
