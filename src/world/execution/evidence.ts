import {
  type Call,
  CHECK_METHOD,
  type CodeCheck,
  callDepthMax,
  type Evidence,
  liveArtifact,
  NOTHING_ATTACHED,
  type Permit,
  parsePermit,
  physicsOf,
  type Question,
  type Refusal,
  refusal,
  type Subject,
  type TrialRun,
  worldRow,
} from "../../kernel/index.ts";
import { decodeJson } from "../core/json.ts";
import type { Program, ProgramPlace, Sandbox } from "../sandbox/index.ts";
import { fingerprintOf } from "../scoring/fingerprint.ts";
import type { ActionStep, Execution } from "./context.ts";
import { inputJsonOf, programOf, refusalFor } from "./programs.ts";

type Asked<K extends Question["kind"]> = Extract<Question, { readonly kind: K }>;

/** Answers a question of the kernel. The step pays the gas. All effects are rolled back. */
export const gatherEvidence = (
  execution: Execution,
  step: ActionStep,
  question: Question,
): Evidence => {
  switch (question.kind) {
    case "permission":
      return { permit: askContract(execution, step, question) };
    case "trial":
      return { trial: runTrial(execution, step, question) };
    case "code_check":
      return { code_check: checkCode(execution, step, question) };
    case "agent_check":
      return { agent_check: { problem: checkAgent(execution, step, question) } };
  }
};

const askContract = (
  execution: Execution,
  step: ActionStep,
  question: Asked<"permission">,
): Permit => {
  const { contract, request } = question;
  const { by } = step;
  const { tx } = execution;
  const deny = (reason: string): Permit => parsePermit(contract, { allowed: false, reason });
  const artifact = liveArtifact(tx.state, contract);
  const physics = physicsOf(tx.state);
  if (artifact === undefined || artifact.code === null)
    return deny("the contract no longer exists");
  if (by.stack.includes(contract)) return deny("the contract is already running in this call");
  if (by.stack.length >= callDepthMax(physics)) {
    return deny("contracts call each other too deeply");
  }
  const mark = tx.mark();
  const stack = [...by.stack, contract];
  const self: Subject = { ...by, actor: contract, purse: null, stack, readOnly: true };
  const call: Call = {
    artifact,
    method: CHECK_METHOD,
    args: [request],
    attach: NOTHING_ATTACHED,
    price: 0,
    paidTo: null,
    caller: by,
    self,
  };
  const answer = execution.run(step, call);
  tx.rollback(mark);
  if ("refusal" in answer) return deny(`the contract failed: ${answer.refusal.message}`);
  return parsePermit(contract, decodeJson(answer.result));
};

/**
 * Runs a program on test arguments, without syscalls or effects. Charges `gas_each` for every run,
 * so the cost does not reveal hidden arguments. If the gas is too little for all runs, runs none.
 */
const runTrial = (
  execution: Execution,
  step: ActionStep,
  question: Asked<"trial">,
): readonly TrialRun[] => {
  const { tx, context } = execution;
  const { artifact, method, runs, gas_each: gasMax } = question;
  const { code = null, state: stateJson = "{}" } = liveArtifact(tx.state, artifact) ?? {};
  const needed = gasMax * runs.length;
  if (step.meter.left < needed) {
    return runs.map(() => ({ ok: false, message: `all tests together take ${needed} gas` }));
  }
  step.meter.use(needed);
  return runs.map((args): TrialRun => {
    // After a timeout, skips the remaining tests, so that the world is blocked only once.
    if (tx.timedOut) return { ok: false, message: "it was killed before" };
    const { by } = step;
    const attached = NOTHING_ATTACHED;
    const about = { self: artifact, caller: by.actor, origin: by.origin, now: by.atMs, attached };
    const outcome = context.sandbox.run(
      {
        program: programOf(code ?? ""),
        method,
        inputJson: inputJsonOf({ args, ...about }),
        stateJson,
        gasMax,
        syscallsMax: 0,
      },
      () => ({ ok: false, code: "not_authorized", message: "it is on trial", gasUsed: 0 }),
    );
    if (outcome.ok) return { ok: true, result: decodeJson(outcome.resultJson) };
    if (outcome.timedOut) tx.timedOut = true;
    return { ok: false, message: outcome.message };
  });
};

/** Matches the names of methods that an action can call. */
const METHOD_NAME = /^[A-Za-z$][\w$]{0,63}$/;
const METHODS_MAX = 64;

/** Checks code. A cached result costs the same gas, so that a rerun has the same events. */
export const checkCode = (
  { tx, context }: Pick<Execution, "tx" | "context">,
  { meter }: Pick<ActionStep, "meter">,
  { code }: Pick<Asked<"code_check">, "code">,
): CodeCheck => {
  const { secret } = worldRow(tx.state);
  const program = programOf(code);
  const key = `${secret} ${program.key}`;
  const known = context.checked.get(key);
  if (known !== undefined && known.gas <= meter.left) {
    const { methods, print, gas } = known;
    meter.use(gas);
    return { methods, print };
  }
  const inspected = inspectCode(context.sandbox, program, meter.left);
  const { gas } = inspected;
  meter.use(gas);
  if (!inspected.ok) {
    if (inspected.timedOut) tx.killed();
    return { refusal: inspected.refusal };
  }
  const { methods } = inspected;
  const print = fingerprintOf(code, secret);
  context.checked.set(key, { methods, print, gas });
  return { methods, print };
};

type InspectedCode =
  | { readonly ok: true; readonly methods: readonly string[]; readonly gas: number }
  | {
      readonly ok: false;
      readonly refusal: Refusal;
      /** The place of the error in the code, or null if it is unknown. */
      readonly place: ProgramPlace | null;
      readonly gas: number;
      readonly timedOut: boolean;
    };

/** Loads code in the sandbox and finds its methods, or says why no artifact can have this code. */
export const inspectCode = (sandbox: Sandbox, program: Program, gasMax: number): InspectedCode => {
  const found = sandbox.inspect(program, gasMax);
  const { gas } = found;
  if (!found.ok) {
    const { timedOut, place = null } = found;
    const why = refusalFor(found.code, `the code cannot be used: ${found.message}`);
    return { ok: false, refusal: why, place, gas, timedOut };
  }
  const methods = found.methods.filter((name) => METHOD_NAME.test(name));
  if (methods.length <= METHODS_MAX) return { ok: true, methods, gas };
  const most = `a program has at most ${METHODS_MAX} methods`;
  const why = refusal("invalid_argument", `${most}, but this one has ${methods.length}`);
  return { ok: false, refusal: why, place: null, gas, timedOut: false };
};

const checkAgent = (
  execution: Execution,
  { meter }: ActionStep,
  { content }: Asked<"agent_check">,
): string | null => {
  const { per_kb_input } = physicsOf(execution.tx.state).sandbox.gas_table;
  meter.use(per_kb_input * Math.ceil(content.length / 1024));
  return execution.context.agentProblem(content);
};
