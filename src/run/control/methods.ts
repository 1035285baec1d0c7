import {
  createJSONRPCErrorResponse,
  createJSONRPCSuccessResponse,
  JSONRPCServer,
} from "json-rpc-2.0";
import type { z } from "zod";
import {
  CONTROL_METHODS,
  type ControlCall,
  type ControlMethods,
  ERROR_CODES,
  METHOD_NAMES,
  type MethodName,
} from "./protocol.ts";

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
