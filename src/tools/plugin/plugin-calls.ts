import { z } from "zod";
import { Dice, diceState, type Json, type PrngState, type View } from "../../kernel/index.ts";
import {
  calledWith,
  findingsOf,
  type ModuleCall,
  type ModuleFault,
  type ModuleInput,
  pluginName,
  readMemory,
  showFault,
  type UserModule,
} from "../../mind/index.ts";

import type { PluginMoment } from "./plugin.ts";

/** When a plugin is called: its memory, and what the agent sees. */
export type CallMoment = Pick<PluginMoment, "memories" | "warn"> & { readonly view: View };

/** A plugin of a persona, with the agent that has it. */
export type OwnPlugin = {
  readonly module: UserModule;
  readonly settings: ModuleInput["settings"];
  readonly agent: string;
  readonly seed: number;
  /** The most tokens that the plugin adds to a call. */
  readonly tokensMax: number;
};

const MEMORY_CHARS_MAX = 65_536;

const keptSchema = z.object({ dice: z.custom<Json>(), own: z.custom<Json>() });

/** What a plugin remembers, and the state of its random numbers. */
type Kept = { readonly dice: PrngState; readonly own: Json };

type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** Calls the functions of a plugin in one step, with its memory. */
export class PluginCalls {
  readonly #plugin: OwnPlugin;
  readonly #moment: CallMoment;
  readonly #name: string;

  constructor(plugin: OwnPlugin, moment: CallMoment) {
    this.#plugin = plugin;
    this.#moment = moment;
    this.#name = pluginName(plugin.module.name);
  }

  /** Calls a function, and checks what it returns. A fault is a warning of the run. */
  ask<T>(schema: z.ZodType<T>, callWith: (input: ModuleInput) => ModuleCall): Answer<T> {
    const { module, settings } = this.#plugin;
    const kept = this.#kept();
    const call = callWith({ view: this.#moment.view, memory: kept.own, settings });
    const { answer, dice, notes } = calledWith(module, call, kept.dice);
    this.#keep({ ...kept, dice });
    for (const note of notes) this.warn(`: ${showFault(note)}`);
    if (!answer.ok) return this.#failed(showFault(answer.fault), answer.fault);
    const read = schema.safeParse(answer.returned);
    if (read.success) return { ok: true, value: read.data };
    const [found] = findingsOf(read.error, { schema, value: answer.returned });
    const what = call.function === "contribute" ? "it gives" : `${call.function} returned`;
    return this.#failed(`${what} a wrong value: ${found?.message ?? "unknown"}`);
  }

  /** Replaces the memory of the plugin, unless the new one is too large. */
  remember(own: Json): void {
    const chars = JSON.stringify(own).length;
    if (chars <= MEMORY_CHARS_MAX) this.#keep({ ...this.#kept(), own });
    else {
      const most = `the maximum is ${MEMORY_CHARS_MAX}`;
      this.warn(` returned a memory of ${chars} characters; ${most}`);
    }
  }

  /** Warns the run. The text follows the name of the plugin. */
  warn(text: string, at?: ModuleFault): void {
    this.#moment.warn(`the plugin ${this.#name} of ${this.#plugin.agent}${text}`, at);
  }

  #failed(problem: string, at?: ModuleFault): { readonly ok: false; readonly problem: string } {
    this.warn(` failed: ${problem}`, at);
    return { ok: false, problem };
  }

  #kept(): Kept {
    const { agent, seed } = this.#plugin;
    const none = { dice: null, own: null };
    const kept = readMemory(this.#moment.memories.get(this.#name) ?? null, none, keptSchema);
    const dice = diceState(kept.dice) ?? Dice.of(seed, `${agent}/plugin/${this.#name}`).state;
    return { dice, own: kept.own };
  }

  #keep({ dice, own }: Kept): void {
    this.#moment.memories.set(this.#name, { dice: [...dice], own });
  }
}
