import {
  type Agent,
  type AgentCause,
  asId,
  type CommandOf,
  endsAction,
  liveArtifact,
  type Result,
  type ReviewDecision,
  type State,
  waitingProposals,
  worldRow,
} from "../../kernel/index.ts";
import { hasTurns } from "../../mind/index.ts";
import { meantOrAll } from "../../text/index.ts";
import type { Clock, World } from "../../world/index.ts";
import type { OperatorCommand } from "../control/operator-command.ts";
import { readAgent } from "../minds/agent-config.ts";
import { type StopReason, waitsForReviewer } from "./stop-rule.ts";

/** For whom a run waits: a reviewer decides only about actions. */
type Attendant = "operator" | "reviewer";

export type OperatorOutcome = {
  readonly ok: boolean;
  readonly message: string;
  /** The number of the message, if the command has sent one. */
  readonly sent?: number;
};

/** The state of the run for an operator. In the state `over`, the run accepts no more commands. */
export type Pace = "going" | "paused" | "stepping" | "over";

type OperatorParts = {
  readonly world: World;
  readonly clock: Clock;
  /** Saves the current state. In the result, `file` is null if no checkpoint file was written. */
  readonly saveCheckpoint: () => Promise<CheckpointSaved>;
  readonly stop: () => void;
};

export type CheckpointSaved = Result<{ seq: number; file: string | null }>;

/** True if an operator has paused this agent. Only an operator can resume such an agent. */
export const isPausedByOperator = ({ state, cause }: Agent): boolean =>
  state === "paused" && cause === "operator";

/**
 * Pauses, steps and stops a run. Pauses and resumes the agents of the run.
 *
 * A paused run stops its clock, even a wall clock, so no agent wakes. A thought or program in
 * progress can finish, but the run uses its result only after the pause. The journal does not
 * record a pause of the run, so the pause does not change the journal of a virtual run. Pausing an
 * agent is a command to the world. The paused agent drops its planned action. When it is resumed,
 * it thinks again. Commands run between two transactions. A refused command changes nothing.
 *
 * While an action waits for a reviewer, a virtual clock is held too. No other agent acts meanwhile,
 * so the run does not depend on how fast the reviewer is.
 */
export class Operator {
  readonly #parts: OperatorParts;
  readonly #listeners = new Set<(pace: Pace) => void>();
  #pace: Pace = "going";
  #attendedBy: Attendant | null = null;

  constructor(parts: OperatorParts) {
    this.#parts = parts;
  }

  get pace(): Pace {
    return this.#pace;
  }

  /** From now on, the run waits for an operator, or only for a reviewer. */
  attend(by: Attendant): void {
    if (this.#attendedBy !== "operator") this.#attendedBy = by;
    this.#holdForReview();
  }

  onPace(listener: (pace: Pace) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async execute(command: OperatorCommand): Promise<OperatorOutcome> {
    if (this.#pace === "over") return failed("the run has ended");
    switch (command.kind) {
      case "pause":
        return this.#pause();
      case "resume":
        return this.#resume();
      case "step":
        return this.#step();
      case "stop":
        this.#parts.stop();
        return done("the run stops after the current transaction");
      case "checkpoint":
        return await this.#saveCheckpoint();
      case "pause_agent":
        return this.#pauseAgent(command.agent);
      case "resume_agent":
        return this.#resumeAgent(command.agent);
      case "send_message":
        return this.#send(command.agent, {
          text: command.text,
          reset: null,
          reply_to: command.reply_to ?? null,
        });
      case "accept_proposal":
        return this.#decide(command.proposal, {
          kind: "accept",
          ...(command.most === undefined ? {} : { most: command.most }),
        });
      case "edit_proposal":
        return this.#decide(command.proposal, { kind: "edit", action: command.action });
      case "give_feedback":
        return this.#decide(command.proposal, { kind: "feedback", text: command.text });
      case "reset_agent": {
        const reset = command.files ? "conversation_and_files" : "conversation";
        return this.#send(command.agent, { text: "", reset, reply_to: null });
      }
    }
  }

  /**
   * During a step, pauses the run at the first event that ends an action. Holds a virtual clock as
   * long as an action waits for a reviewer.
   */
  onEvents(events: readonly { readonly kind: string }[]): void {
    if (this.#pace === "stepping" && events.some(endsAction)) {
      this.#parts.clock.hold();
      this.#setPace("paused");
    }
    if (events.some(({ kind }) => kind === "agent_state_changed")) this.#holdForReview();
  }

  /** Releases the clock at the end of the run, so that all tasks can end. */
  release(): void {
    if (this.#pace === "over") return;
    this.#setPace("over");
    this.#parts.clock.release();
  }

  /**
   * Returns why the run stops now. `reason` says why it stops without an operator, or is null. A
   * run with an operator is not idle while the operator can let an agent continue. In simulated
   * time, a run without one stops when an action waits for a reviewer, who can decide later.
   */
  stopReason(reason: StopReason | null): StopReason | null {
    const { state } = this.#parts.world;
    if (this.#attendedBy === null) return reason ?? (this.#isHeldByReview ? "review" : null);
    const isIdle = reason === "idle" || reason === "review";
    if (!isIdle) return reason;
    const canContinue =
      this.#attendedBy === "operator" ? this.#canContinueAgent(state) : waitsForReviewer(state);
    return canContinue ? null : reason;
  }

  /** Whether an agent is paused by an operator or the schedule, or waits for a reviewer. */
  #canContinueAgent(state: State): boolean {
    if (waitsForReviewer(state)) return true;
    for (const agent of state.agents.rows()) {
      const isPausedBySchedule = agent.state === "paused" && agent.cause === "schedule";
      if (isPausedBySchedule || isPausedByOperator(agent)) return true;
    }
    return false;
  }

  /** Whether the time of the run must stand still, because an action waits for a reviewer. */
  get #isHeldByReview(): boolean {
    const { clock, world } = this.#parts;
    return clock.kind === "virtual" && waitsForReviewer(world.state);
  }

  #holdForReview(): void {
    const { clock } = this.#parts;
    if (this.#attendedBy === null || this.#pace === "over") return;
    if (this.#isHeldByReview) clock.hold();
    else if (this.#pace !== "paused") clock.release();
  }

  #pause(): OperatorOutcome {
    if (this.#pace === "paused") return failed("the run is already paused");
    this.#parts.clock.hold();
    this.#setPace("paused");
    return done(`paused at ${this.#parts.clock.now() / 1_000} s`);
  }

  #resume(): OperatorOutcome {
    if (this.#pace === "going") return failed("the run is not paused");
    this.#setPace("going");
    return this.#continue("the run continues");
  }

  #step(): OperatorOutcome {
    if (this.#pace === "going") return failed("pause the run before you step it");
    if (this.#pace === "stepping") return failed("the previous step has not ended yet");
    this.#setPace("stepping");
    return this.#continue("the run continues until an action has ended");
  }

  #continue(message: string): OperatorOutcome {
    if (!this.#isHeldByReview) {
      this.#parts.clock.release();
      return done(message);
    }
    return done(`${message}, when the action that waits for a reviewer is decided`);
  }

  async #saveCheckpoint(): Promise<OperatorOutcome> {
    const saved = await this.#parts.saveCheckpoint();
    if (!saved.ok) return failed(saved.problem);
    const where = saved.file === null ? "in the journal" : `as ${saved.file}`;
    return done(`saved the state after event ${saved.seq} ${where}`);
  }

  #pauseAgent(id: string): OperatorOutcome {
    const agent = this.#agent(id);
    if (agent === undefined) return this.#unknown(id);
    if (agent.state === "stopped") return failed(`${id} has stopped for good`);
    if (isPausedByOperator(agent)) return failed(`${id} is already paused`);
    return this.#change(agent, {
      to: "paused",
      reason: "an operator has paused it",
      cause: "operator",
      due_at_ms: null,
    });
  }

  /** Resumes a paused agent, even an agent that paused after too many failures. */
  #resumeAgent(id: string): OperatorOutcome {
    const agent = this.#agent(id);
    if (agent === undefined) return this.#unknown(id);
    if (agent.state !== "paused") return failed(`${id} is not paused but ${agent.state}`);
    const due_at_ms = this.#parts.clock.now();
    return this.#change(agent, { to: "running", reason: "an operator has resumed it", due_at_ms });
  }

  #send(
    id: string,
    message: Pick<CommandOf<"send_message">, "text" | "reset" | "reply_to">,
  ): OperatorOutcome {
    const { world, clock } = this.#parts;
    if (this.#agent(id) === undefined) return this.#unknown(id);
    const content = liveArtifact(world.state, asId(id))?.content ?? "";
    const read = readAgent(content);
    if (message.reset !== null && read.ok && !hasTurns(read.config.mind)) {
      const why = "only agents with tools have a conversation to reset";
      return failed(`${id} has mind: ${read.config.mind}; ${why}`);
    }
    const at_ms = clock.now();
    const command = { kind: "send_message", at_ms, to: asId(id), ...message } as const;
    const { success, message: problem } = world.submit(command);
    if (!success) return failed(problem);
    if (message.reset !== null) return done(`the conversation of ${id} starts again`);
    return { ...done(`sent to ${id}`), sent: worldRow(world.state).messagesMade };
  }

  #decide(proposal: number, decision: ReviewDecision): OperatorOutcome {
    const { world, clock } = this.#parts;
    const agent = waitingProposals(world.state).find((each) => each.number === proposal)?.agent;
    const { success, message } = world.submit({
      kind: "decide_proposal",
      at_ms: clock.now(),
      proposal,
      decided_by: "reviewer",
      decision,
    });
    return success ? done(`${agent}: ${OUTCOMES[decision.kind]}`) : failed(message);
  }

  #agent(id: string): Agent | undefined {
    return this.#parts.world.state.agents.get(asId(id));
  }

  #unknown(id: string): OperatorOutcome {
    const ids = [...this.#parts.world.state.agents.keys()];
    return failed(`there is no agent "${id}"; ${meantOrAll(id, ids)}`);
  }

  #change({ id }: Agent, to: Change): OperatorOutcome {
    const { world, clock } = this.#parts;
    const command = { kind: "change_agent_state", at_ms: clock.now(), agent: id, ...to } as const;
    const { success, message } = world.submit(command);
    if (!success) return failed(message);
    return done(to.to === "paused" ? `${id} is paused` : `${id} is resumed`);
  }

  #setPace(pace: Pace): void {
    this.#pace = pace;
    for (const listener of this.#listeners) listener(pace);
  }
}

type Change = {
  readonly to: "paused" | "running";
  readonly reason: string;
  readonly cause?: AgentCause;
  readonly due_at_ms: number | null;
};

const OUTCOMES: { readonly [K in ReviewDecision["kind"]]: string } = {
  accept: "the action is executed",
  edit: "the edited action is executed",
  feedback: "the action is not executed, and the agent gets the text",
};

const done = (message: string): OperatorOutcome => ({ ok: true, message });

const failed = (message: string): OperatorOutcome => ({ ok: false, message });
