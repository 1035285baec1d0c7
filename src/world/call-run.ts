import { type Call, type Failed, liveArtifact, physicsOf, type Ran } from "../kernel/index.ts";
import type { Crank } from "./crank.ts";
import { refusalFor } from "./engine-trouble.ts";
import { programOf, type Step } from "./machinery.ts";
import { inputJsonOf } from "./program-input.ts";
import type { ProgramOutcome } from "./sandbox/index.ts";
import { answerSyscall } from "./syscall.ts";
import { decodeJson } from "./wire-codec.ts";

/** Code that ran to its end: the JSON text of its result, and what it leaves behind. */
export type Completed = { readonly result: string; readonly ran: Ran };

/** Runs the code of an open call; its gas is used whatever becomes of it. */
export const runCall = (crank: Crank, step: Step, call: Call): Completed | Failed => {
  const { state, syscalls } = crank.tx;
  const { artifact, self } = call;
  const outcome = crank.machinery.sandbox.run(
    {
      program: programOf(crank.machinery, artifact.code ?? ""),
      method: call.method,
      inputJson: inputJsonOf({
        args: call.args,
        self: artifact.id,
        caller: call.caller.actor,
        origin: self.origin,
        attached: call.attach,
        now: self.atMs,
      }),
      stateJson: liveArtifact(state, artifact.id)?.state ?? artifact.state,
      gasMax: step.meter.left,
      syscallsMax: physicsOf(state).sandbox.syscalls_max - syscalls,
      readOnly: self.readOnly,
    },
    (syscall) => answerSyscall(crank, { by: self, caller: call.caller.actor }, syscall),
  );
  step.meter.use(outcome.gas);
  return judged(crank, outcome);
};

const judged = (crank: Crank, outcome: ProgramOutcome): Completed | Failed => {
  const { gas, logs: log } = outcome;
  if (outcome.ok) {
    return { result: outcome.resultJson, ran: { state: outcome.stateJson, gas, log } };
  }
  if (outcome.fused) crank.tx.killed();
  const data = outcome.dataJson === undefined ? undefined : decodeJson(outcome.dataJson);
  const refusal = refusalFor(outcome.code, outcome.message, data);
  return { refusal, gas, log, fused: outcome.fused };
};
