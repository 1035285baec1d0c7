import type { Json } from "../../src/kernel/index.ts";

import type { Sandbox } from "../../src/world/index.ts";
import type { Dice } from "./dice.ts";
import type { Ask, Rogue } from "./rogue.ts";

type Call = Parameters<Sandbox["run"]>[0];
type Answer = Parameters<Sandbox["run"]>[1];
type Reply = ReturnType<Answer>;
type Outcome = ReturnType<Sandbox["run"]>;

/** Sees what a program asked and what it was answered. Returns what to do after the answer. */
export type Watch = (asked: Ask) => (reply: Reply) => void;

const ENDS = [
  "runtime_error",
  "gas_exhausted",
  "rejected_by_artifact",
  "memory_exhausted",
] as const;

/**
 * Stands in for the sandbox where only what programs ask matters: instead of running code it lets a
 * rogue ask. Its programs' code is the list of their methods.
 */
export class PuppetEngine {
  readonly #dice: Dice;
  readonly #rogue: () => Rogue;
  readonly #watch: Watch;
  asked = 0;

  constructor(dice: Dice, rogue: () => Rogue, watch: Watch) {
    this.#dice = dice;
    this.#rogue = rogue;
    this.#watch = watch;
  }

  /** As the world sees it. */
  get sandbox(): Sandbox {
    return this as unknown as Sandbox;
  }

  inspect({ code }: { readonly code: string }) {
    return { ok: true, methods: code.split(" "), gas: 10 } as const;
  }

  run(call: Call, answer: Answer): Outcome {
    const dice = this.#dice;
    let [gas, syscalls] = [100, 0];
    const spent = () => ({ gas: Math.min(gas, call.gasMax), syscalls, logs: "" });
    const failed = (code: (typeof ENDS)[number] | "syscalls_exhausted"): Outcome => ({
      ok: false,
      code,
      message: "as the dice fell",
      ...spent(),
      timedOut: false,
    });
    for (let turns = dice.upTo(4); turns > 0; turns--) {
      gas += 50;
      if (gas > call.gasMax) return failed("gas_exhausted");
      if (syscalls >= call.syscallsMax) return failed("syscalls_exhausted");
      syscalls += 1;
      const reply = this.#ask(call, answer, call.gasMax - gas);
      gas += reply.gasUsed;
      syscalls += reply.syscallsUsed ?? 0;
      if ("fatal" in reply) return { ...failed("runtime_error"), code: reply.fatal } as Outcome;
      if (!reply.ok && dice.chance(0.15)) return failed("runtime_error");
    }
    if (dice.chance(0.15)) return failed(dice.one(ENDS));
    const result: Json =
      call.method === "run" ? dice.upTo(9) : this.#rogue().permit(JSON.parse(call.inputJson).self);
    const stateJson = dice.chance(0.3) ? JSON.stringify("s".repeat(dice.upTo(60))) : null;
    return { ok: true, resultJson: JSON.stringify(result), stateJson, ...spent() };
  }

  #ask(call: Call, answer: Answer, gasLeft: number): Reply {
    this.asked += 1;
    const asked = this.#rogue().ask(JSON.parse(call.inputJson).self);
    const after = this.#watch(asked);
    const { name, args } = asked;
    const reply = answer({ name, argsJson: JSON.stringify(args), gasLeft, syscallsLeft: 9 });
    after(reply);
    return reply;
  }
}
