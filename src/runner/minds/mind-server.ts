import { type Id, must, type Physics, type View } from "../../kernel/index.ts";
import {
  type AgentMemory,
  attemptModels,
  cancelled,
  type Environment,
  faultOf,
  type Mind,
  type Model,
  type ModelReply,
  type ModelRequest,
  mindFor,
  modelFailure,
  type ToolParts,
  type UserModule,
} from "../../mind/index.ts";
import { sandboxFor } from "../../world/index.ts";
import { AgentCode } from "../agents/agent-code.ts";
import { mindPartsFor, storedConfig } from "../agents/agent-minds.ts";
import { llmDefaultsOf } from "../agents/model-users.ts";
import type { SettledConfig } from "../run/clock-choice.ts";
import type { HostMethods, WorkerMethods } from "./mind-calls.ts";
import { Peer, type PeerFrame } from "./peer.ts";
import { RequestWriter } from "./request-codec.ts";
import { toolPartsOf } from "./tool-parts.ts";
import { ViewReader } from "./view-codec.ts";

/** What a worker must know of a run to make its thoughts. All of it can be sent. */
export type MindSetup = {
  readonly config: SettledConfig;
  readonly physics: Physics;
  /** The id of the run. */
  readonly run: string;
  /** False if agents remember nothing. */
  readonly hasMemory: boolean;
};

/** The thoughts that a worker makes now for a run, and those that it has made. */
export type ThoughtCounts = { readonly open: number; readonly made: number };

type Place = { readonly env: Environment; readonly post: (frame: PeerFrame) => void };

/**
 * Makes the thoughts of agents with language models, away from the world of their run: builds
 * prompts, makes the attempts of model calls, and reads the replies.
 */
export class MindServer {
  readonly peer: Peer<HostMethods>;
  readonly #views = new ViewReader();
  readonly #calls: ModelCalls;
  readonly #minds: (view: View) => Mind;
  readonly #code: AgentCode;
  #open = 0;
  #made = 0;

  constructor(setup: MindSetup, { env, post }: Place) {
    const { config, physics } = setup;
    const methods: WorkerMethods = {
      decide: async ({ thought, view: sent }, signal) => {
        const view = this.#views.read(sent);
        const end = this.#calls.begin(view.id, thought);
        this.#open += 1;
        try {
          return await this.#minds(view).decide(view, signal);
        } finally {
          end();
          this.#open -= 1;
          this.#made += 1;
        }
      },
      attempt: (attempt, signal) => this.#calls.attempt(attempt, signal),
    };
    this.peer = new Peer<HostMethods>(methods, post);
    const warn = (text: string): void => void this.peer.call("warn", text);
    this.#calls = new ModelCalls(setup, env, this.peer);
    this.#code = new AgentCode(sandboxFor(physics), { config, physics, env, warn });
    const parts = toolPartsOf(config, {
      model: this.#calls.model,
      memory: setup.hasMemory ? this.#memory() : null,
      physics,
      // The run checks again, before the call.
      durable: async () => true,
      onEvent: null,
      code: this.#code.forMinds,
    });
    this.#minds = mindsOfViews(config, parts);
  }

  get counts(): ThoughtCounts {
    return { open: this.#open, made: this.#made };
  }

  async close(): Promise<void> {
    await Promise.all([this.#calls.close(), this.#code.close()]);
  }

  #memory(): AgentMemory {
    return {
      search: async (query) => {
        const answer = await this.peer.call("recall", query);
        return answer.ok ? answer.value : answer;
      },
      artifactWith: () => null,
      store: null,
    };
  }
}

/** Keeps one mind for each agent, until the configuration of the agent changes. */
const mindsOfViews = (config: SettledConfig, parts: ToolParts): ((view: View) => Mind) => {
  const made = new Map<Id, { readonly content: string; readonly mind: Mind }>();
  const llm = { defaults: llmDefaultsOf(config), parts, decideAt: null };
  const mindParts = {
    ...mindPartsFor(config, ""),
    llm,
    moduleNamed: () => must<UserModule>(null, "a worker gets no modules of the user"),
    seats: null,
    turns: null,
  };
  return ({ id, agent, content }) => {
    const known = made.get(id);
    if (known?.content === content) return known.mind;
    const mind = mindFor(agent, storedConfig(content), mindParts);
    made.set(id, { content, mind });
    return mind;
  };
};

type OpenThought = { readonly thought: number; readonly requests: RequestWriter };

/** The model calls of a worker. The run decides about each attempt, and the worker makes it. */
class ModelCalls {
  readonly #attempts: ReturnType<typeof attemptModels>;
  readonly #peer: Peer<HostMethods>;
  /** The requests of the calls in progress, with what cannot be sent, such as schemas. */
  readonly #requests = new Map<number, ModelRequest>();
  /** The latest thought of each agent that thinks now. */
  readonly #thoughts = new Map<Id, OpenThought>();
  #count = 0;

  constructor({ config, run }: MindSetup, env: Environment, peer: Peer<HostMethods>) {
    const { llm: settings, run: about } = config;
    const note = (text: string): void => void peer.call("note", text);
    this.#peer = peer;
    this.#attempts = attemptModels({ settings, env, seed: about.seed, run, note });
  }

  readonly model: Model = {
    ask: async (request, signal) => {
      this.#count += 1;
      const call = this.#count;
      this.#requests.set(call, request);
      const { agent } = request;
      const open = agent === null ? undefined : this.#thoughts.get(agent);
      const { thought = null, requests = new RequestWriter() } = open ?? {};
      const sent = { call, thought, request: requests.write(request) };
      const answer = await this.#peer.call("ask", sent, signal);
      this.#requests.delete(call);
      return answer.ok ? answer.value : cancelled(request.model);
    },
  };

  /** Call the returned function at the end of the thought. */
  begin(agent: Id, thought: number): () => void {
    const open = { thought, requests: new RequestWriter() };
    this.#thoughts.set(agent, open);
    return () => {
      if (this.#thoughts.get(agent) === open) this.#thoughts.delete(agent);
    };
  }

  readonly attempt: WorkerMethods["attempt"] = async (attempt, signal): Promise<ModelReply> => {
    const { call, provider, nth, changes } = attempt;
    const request = this.#requests.get(call);
    if (request === undefined) return cancelled(changes.model);
    const model = this.#attempts.of(provider)[nth];
    if (model === undefined) return modelFailure(changes.model, faultOf("unauthorized", NO_KEY));
    return model.ask({ ...request, ...changes }, signal);
  };

  close(): Promise<void> {
    return this.#attempts.close();
  }
}

const NO_KEY = "the worker that makes this thought does not have this key of the provider";
