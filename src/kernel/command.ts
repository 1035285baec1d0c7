import type { Call, CallResult, FailedInvocation, OpenInvocation } from "./action/invocation.ts";
import type { ReadRequest } from "./action/read.ts";
import type { TransferRequest } from "./action/transfer.ts";
import type { WriteCommand } from "./action/write.ts";
import type { Id } from "./core/ids.ts";
import type { Json } from "./core/json.ts";
import type { SpawnRequest } from "./family/spawn.ts";
import type { NativeRequest } from "./genesis/natives.ts";
import type { ChargeRequest } from "./ledger/delegation.ts";
import type { Subject } from "./ledger/subject.ts";
import type { LoopCommands } from "./loop/commands.ts";
import type { MessageCommands } from "./messages/send.ts";
import type { MintCommands } from "./mint/events.ts";
import type { ScheduleCommands } from "./schedule/schedule.ts";
import type { SetupCommands } from "./setup/setup.ts";

/** A request to the kernel. Contains the time, random numbers, gas used and model output. */
export type Command = CommandIn<Commands>;
export type CommandOf<K extends keyof Commands> = CommandIn<Pick<Commands, K>>;

type CommandIn<Fields> = {
  [K in keyof Fields]: { readonly kind: K } & Readonly<Fields[K]>;
}[keyof Fields];

type Commands = RunCommands & ActCommands;

/** Commands from the runner: it sets up the world, and runs agents, clocks and scorers. */
type RunCommands = SetupCommands &
  ScheduleCommands &
  MessageCommands &
  MintCommands &
  Omit<LoopCommands, "end_action"> & { sell_compute: { at_ms: number } };
export type RunCommand = CommandIn<RunCommands>;

/** Commands from an actor. An actor is an agent or a program that runs for an agent. */
type ActCommands = Pick<LoopCommands, "end_action"> & {
  read_artifact: ReadRequest;
  write_artifact: WriteCommand;
  open_invocation: OpenInvocation;
  close_invocation: { call: Call; ran: CallResult };
  fail_invocation: FailedInvocation;
  call_native: NativeRequest;
  create_principal: SpawnRequest;
  pay: { by: Subject; to: Id; scrip: Json };
  charge: ChargeRequest;
  give: TransferRequest & { callers: readonly Id[] };
  record_draws: { by: Subject; draws: number; prng: readonly number[] };
};
