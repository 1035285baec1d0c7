import {
  type Call,
  CHECK_METHOD,
  type CodeCheck,
  type Evidence,
  liveArtifact,
  NOTHING_ATTACHED,
  type Permit,
  parsePermit,
  physicsOf,
  type Question,
  refusal,
  type Subject,
  type TrialRun,
  wholeOf,
} from "../kernel/index.ts";
import { runCall } from "./call-run.ts";
import type { Crank } from "./crank.ts";
import { refusalFor } from "./engine-trouble.ts";
import { programOf, type Step } from "./machinery.ts";
import { inputJsonOf } from "./program-input.ts";
import { printOf } from "./scoring/index.ts";
import { decodeJson } from "./wire-codec.ts";

type Asked<K extends Question["kind"]> = Extract<Question, { readonly kind: K }>;

/** Finds out what the kernel asks. The asker pays the gas; nothing that is done for it stays. */
export const findOut = (crank: Crank, step: Step, question: Question): Evidence => {
  switch (question.kind) {
    case "permission":
      return { permit: askContract(crank, step, question) };
    case "trial":
      return { trial: tryOut(crank, step, question) };
    case "code_check":
      return { code_check: checkCode(crank, step, question) };
    case "agent_check":
      return { agent_check: { problem: checkAgent(crank, step, question) } };
  }
};

/** Runs `check_permission` so that it can look at everything and change nothing. */
const askContract = (crank: Crank, step: Step, question: Asked<"permission">): Permit => {
  const { contract, request } = question;
  const { by } = step;
  const { tx } = crank;
  const deny = (reason: string): Permit => parsePermit(contract, { allowed: false, reason });
  const artifact = liveArtifact(tx.state, contract);
  const physics = physicsOf(tx.state);
  if (artifact === undefined || artifact.code === null) return deny("the contract is gone");
  if (by.stack.includes(contract)) return deny("the contract is already being asked");
  if (by.stack.length >= physics.sandbox.invoke_depth_max + physics.access.depth_max) {
    return deny("contracts ask each other too deeply");
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
  const answer = runCall(crank, step, call);
  tx.rollback(mark);
  if ("refusal" in answer) return deny(`the contract failed: ${answer.refusal.message}`);
  return parsePermit(contract, decodeJson(answer.result));
};

/**
 * Runs a program on its own, without syscalls and without a trace. Every run is charged the same,
 * even one in which the engine had to be killed, and where there is not gas for all of them there
 * is none for any: the bill tells nothing of arguments that are nobody's to know.
 */
const tryOut = (crank: Crank, step: Step, question: Asked<"trial">): readonly TrialRun[] => {
  const { tx, machinery } = crank;
  const { artifact, method, runs, gas_each: gasMax } = question;
  const { code = null, state: stateJson = "{}" } = liveArtifact(tx.state, artifact) ?? {};
  const needed = gasMax * runs.length;
  if (step.meter.left < needed) {
    return runs.map(() => ({ ok: false, message: `all tests together take ${needed} gas` }));
  }
  step.meter.use(needed);
  return runs.map((args): TrialRun => {
    // The world is held up once: what comes after that is not run.
    if (tx.fused) return { ok: false, message: "it was killed before" };
    const { by } = step;
    const attached = NOTHING_ATTACHED;
    const about = { self: artifact, caller: by.actor, origin: by.origin, now: by.atMs, attached };
    const outcome = machinery.sandbox.run(
      {
        program: programOf(machinery, code ?? ""),
        method,
        inputJson: inputJsonOf({ args, ...about }),
        stateJson,
        gasMax,
        syscallsMax: 0,
        readOnly: true,
      },
      () => ({ ok: false, code: "not_authorized", message: "it is on trial", gasUsed: 0 }),
    );
    if (outcome.ok) return { ok: true, result: decodeJson(outcome.resultJson) };
    if (outcome.fused) tx.fused = true;
    return { ok: false, message: outcome.message };
  });
};

/** What an action can name and a screen can show; functions called otherwise are private. */
const METHOD_NAME = /^[A-Za-z$][\w$]{0,63}$/;
const METHODS_MAX = 64;

/**
 * A known code is not loaded again. The gas is the same, so that a rerun without what is known
 * agrees.
 */
const checkCode = (crank: Crank, { meter }: Step, { code }: Asked<"code_check">): CodeCheck => {
  const { tx, machinery } = crank;
  const { secret } = wholeOf(tx.state);
  const program = programOf(machinery, code);
  const known = machinery.checked.find(program.key, secret);
  if (known !== undefined && known.gas <= meter.left) {
    const { methods, print, gas } = known;
    meter.use(gas);
    return { methods, print };
  }
  const found = machinery.sandbox.inspect(program, meter.left);
  const { gas } = found;
  meter.use(gas);
  if (!found.ok) {
    if (found.fused) tx.killed();
    return { refusal: refusalFor(found.code, `the code cannot be used: ${found.message}`) };
  }
  const methods = found.methods.filter((name) => METHOD_NAME.test(name));
  if (methods.length <= METHODS_MAX) {
    const print = printOf(code, secret);
    machinery.checked.note(program.key, secret, { methods, print, gas });
    return { methods, print };
  }
  const message = `a program has at most ${METHODS_MAX} methods, this one ${methods.length}`;
  return { refusal: refusal("invalid_argument", message) };
};

const checkAgent = (
  crank: Crank,
  { meter }: Step,
  { content }: Asked<"agent_check">,
): string | null => {
  const { per_kb_input } = physicsOf(crank.tx.state).sandbox.gas_table;
  meter.use(per_kb_input * Math.ceil(content.length / 1024));
  return crank.machinery.agentProblem(content);
};
