import {
  createJSONRPCErrorResponse,
  createJSONRPCSuccessResponse,
  JSONRPCServer,
} from "json-rpc-2.0";
import type { z } from "zod";
import { untilFailed } from "../course/journal-failure.ts";
import type { OperatorOutcome } from "../course/operator.ts";
import type { SimulationRunner } from "../course/simulation-runner.ts";
import type { OperatorCommand } from "./operator-command.ts";
import {
  CONTROL_METHODS,
  type ControlAnswer,
  type ControlCall,
  type ControlMethods,
  ERROR_CODES,
  METHOD_NAMES,
  type MethodName,
  OVER,
  refused,
  type SeatMethods,
} from "./protocol.ts";

/** What other processes can ask of a run. An answer waits until its events are on disk. */
export const methodsOf = (runner: SimulationRunner, seats: SeatMethods): ControlMethods => {
  const execute = async (command: OperatorCommand): Promise<ControlAnswer<OperatorOutcome>> => {
    const operator = runner.operate();
    if (operator.pace === "over") return OVER;
    const outcome = await untilFailed(async () => {
      const executed = await operator.execute(command);
      if (executed.ok) await runner.journal.durable();
      return executed;
    });
    return typeof outcome === "string" ? refused(outcome) : { ok: true, value: outcome };
  };
  const turn_status: ControlMethods["turn_status"] = async ({ agent }) => ({
    ok: true,
    value: { turn: runner.turns.status(agent) },
  });
  return { operate: execute, turn_status, ...seats };
};

export type Dispatcher = JSONRPCServer<ControlCall>;

/** Calls the methods of a run by their names. A bug in a method ends the process. */
export const dispatcherOf = (methods: ControlMethods): Dispatcher => {
  const dispatcher: Dispatcher = new JSONRPCServer({
    errorListener: (_, error) => {
      setImmediate(() => {
        throw error;
      });
    },
  });
  const add = <Name extends MethodName>(name: Name): void => {
    dispatcher.addMethodAdvanced(name, async ({ id = null, params }, call) => {
      const read = CONTROL_METHODS[name].params.safeParse(params);
      if (!read.success) {
        return createJSONRPCErrorResponse(id, ERROR_CODES.wrong_params, problemIn(read.error));
      }
      const answer = await methods[name](read.data, call);
      if (answer.ok) return createJSONRPCSuccessResponse(id, answer.value);
      return createJSONRPCErrorResponse(id, ERROR_CODES[answer.reason], answer.problem);
    });
  };
  for (const name of METHOD_NAMES) add(name);
  return dispatcher;
};

const problemIn = ({ issues: [issue] }: z.core.$ZodError): string => {
  const path = ["params", ...(issue?.path ?? [])].join(".");
  return `${path}: ${issue?.message ?? "wrong"}`;
};
