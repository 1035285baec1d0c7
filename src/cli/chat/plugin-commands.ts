import { asId, VIEW_BOUNDS, viewOf } from "../../kernel/index.ts";
import {
  commandsOf,
  conversationIn,
  ModuleThread,
  type OwnPlugin,
  type PluginCommand,
  readStoredConfig,
  runCommand,
} from "../../mind/index.ts";
import { type Config, modulesOfPersona, type Persona } from "../../runner/index.ts";
import type { Clock, World } from "../../world/index.ts";

type Here = {
  readonly world: World;
  readonly clock: Pick<Clock, "now">;
  readonly warn: (text: string) => void;
};

/** The commands that the plugins of an agent give to people. */
export class PluginCommands {
  readonly #modules: ModuleThread;
  readonly #plugins: readonly OwnPlugin[];
  readonly #agent: Persona["id"];

  constructor({ id, content, modules }: Persona, config: Config) {
    this.#agent = id;
    this.#modules = new ModuleThread(config.timeouts.module_s);
    const read = readStoredConfig(content);
    const named = modulesOfPersona({ modules }, this.#modules);
    const plugins = read.ok && read.config.mind !== "module" ? (read.config.plugins ?? []) : [];
    this.#plugins = plugins.map(({ module, settings = {} }) => {
      const own = { module: named(module, "plugin"), settings, agent: id };
      return { ...own, seed: config.run.seed, tokensMax: 0 };
    });
  }

  list(here: Here): readonly PluginCommand[] {
    return this.#plugins.flatMap((plugin) => commandsOf(plugin, this.#moment(here)));
  }

  /** Runs a command. Null if no plugin has it, or if it fails. */
  run(command: string, args: string, here: Here): ReturnType<typeof runCommand> {
    const moment = this.#moment(here);
    const owner = this.#plugins.find((plugin) =>
      commandsOf(plugin, moment).some(({ name }) => name === command),
    );
    return owner === undefined ? null : runCommand(owner, { command, args }, moment);
  }

  close(): void {
    this.#modules.close();
  }

  #moment({ world, clock, warn }: Here) {
    const view = viewOf(world.state, asId(this.#agent), { now: clock.now(), bounds: VIEW_BOUNDS });
    const { plugins } = conversationIn(view.agent.mind);
    return { source: { view }, memories: new Map(Object.entries(plugins)), warn };
  }
}
