import { asId, VIEW_BOUNDS, viewOf } from "../../kernel/index.ts";
import { ModuleThread } from "../../mind/index.ts";
import { type Config, modulesOfPersona, type Persona, readAgent } from "../../run/index.ts";
import {
  commandsOf,
  conversationIn,
  type OwnPlugin,
  type PluginCommand,
  runPluginCommand,
  type ToolsConfig,
} from "../../tools/index.ts";

import type { Clock, World } from "../../world/index.ts";

type Here = {
  readonly world: World;
  readonly clock: Pick<Clock, "now">;
  readonly warn: (text: string) => void;
};

/** What a command led to. A person has seen why a command failed, as a warning. */
type CommandOutcome =
  | { readonly kind: "say" | "show"; readonly text: string }
  | { readonly kind: "unknown" | "failed" };

/** The commands that the plugins of an agent give to people. */
export class PluginCommands {
  readonly #modules: ModuleThread;
  readonly #plugins: readonly OwnPlugin[];
  readonly #agent: Persona["id"];

  constructor({ id, content, modules }: Persona, config: Config) {
    this.#agent = id;
    this.#modules = new ModuleThread(config.timeouts.module_s);
    const read = readAgent(content);
    const named = modulesOfPersona({ modules }, this.#modules);
    const { plugins = [] } = read.ok ? (read.config as ToolsConfig) : {};
    this.#plugins = plugins.map(({ module, settings = {} }) => {
      const own = { module: named(module, "plugin"), settings, agent: id };
      return { ...own, seed: config.run.seed, tokensMax: 0 };
    });
  }

  list(here: Here): readonly PluginCommand[] {
    return this.#plugins.flatMap((plugin) => commandsOf(plugin, this.#moment(here)));
  }

  run(command: string, args: string, here: Here): CommandOutcome {
    const moment = this.#moment(here);
    const owner = this.#plugins.find((plugin) =>
      commandsOf(plugin, moment).some(({ name }) => name === command),
    );
    if (owner === undefined) return { kind: "unknown" };
    const result = runPluginCommand(owner, { command, args }, moment);
    if (result === null) return { kind: "failed" };
    return "say" in result
      ? { kind: "say", text: result.say }
      : { kind: "show", text: result.show };
  }

  close(): void {
    this.#modules.close();
  }

  #moment({ world, clock, warn }: Here) {
    const view = viewOf(world.state, asId(this.#agent), { now: clock.now(), bounds: VIEW_BOUNDS });
    const { plugins } = conversationIn(view.agent.mind);
    return { view, memories: new Map(Object.entries(plugins)), warn };
  }
}
