import { newQuickJSWASMModuleFromVariant, type QuickJSContext } from "quickjs-emscripten-core";
import type { Json, RunProgram } from "../../../src/mind/library/index.ts";

/** QuickJS asks once in about 10,000 calls and loop turns, so this is a million steps. */
const TICKS_MAX = 100;
const MEMORY_BYTES_MAX = 16 * 1024 * 1024;
const STACK_BYTES_MAX = 256 * 1024;

/** What stands in for the artifacts that `kernel.invoke` calls: gives what a real kernel gives. */
export type Market = (
  id: string,
  method: string,
  args: readonly Json[],
  terms: Json,
) => { readonly success: boolean; readonly result?: Json; readonly error?: Json };

const module = await newQuickJSWASMModuleFromVariant(import("@jitl/quickjs-wasmfile-release-sync"));

/**
 * Runs library programs in a bare QuickJS: no clock, no dice, no typed arrays, strict code, bounded
 * steps.
 */
export const run: RunProgram = (code, method, args) =>
  runInMarket(closedMarket, code, method, args);

function closedMarket(id: string) {
  return { success: false, error: { code: "not_found", message: `there is no ${id}` } };
}

export function runInMarket(
  market: Market,
  code: string,
  method: string,
  args: readonly Json[],
): ReturnType<RunProgram> {
  const runtime = module.newRuntime();
  runtime.setMemoryLimit(MEMORY_BYTES_MAX);
  runtime.setMaxStackSize(STACK_BYTES_MAX);
  let ticks = 0;
  runtime.setInterruptHandler(() => {
    ticks += 1;
    return ticks > TICKS_MAX;
  });
  const context = runtime.newContext({
    intrinsics: {
      BaseObjects: true,
      Eval: true,
      JSON: true,
      RegExp: true,
      RegExpCompiler: true,
      MapSet: true,
    },
  });
  try {
    offerInvoke(context, market);
    return readOutcome(context, program(code, method, args));
  } finally {
    context.dispose();
    runtime.dispose();
  }
}

function program(code: string, method: string, args: readonly Json[]): string {
  return `"use strict";
    const kernel = Object.freeze({
      fail(code, message) { throw { code, message }; },
      invoke(...call) { return JSON.parse(__invoke(JSON.stringify(call))); },
    });
    delete Math.random;
    ${code}
    let outcome;
    try {
      const result = ${method}(...JSON.parse(${JSON.stringify(JSON.stringify(args))}));
      outcome = { ok: true, result };
    } catch (error) {
      outcome = { ok: false, reason: (error.code || error.name) + ": " + error.message };
    }
    JSON.stringify(outcome);`;
}

function offerInvoke(context: QuickJSContext, market: Market) {
  const invoke = context.newFunction("__invoke", (call) => {
    const [id, method, args, terms] = JSON.parse(context.getString(call));
    return context.newString(JSON.stringify(market(id, method, args, terms)));
  });
  context.setProp(context.global, "__invoke", invoke);
  invoke.dispose();
}

function readOutcome(context: QuickJSContext, source: string): ReturnType<RunProgram> {
  const outcome = context.evalCode(source);
  if (outcome.error) {
    const fault = context.dump(outcome.error);
    outcome.error.dispose();
    return { ok: false, reason: `${fault.name}: ${fault.message}` };
  }
  const text = context.getString(outcome.value);
  outcome.value.dispose();
  return JSON.parse(text);
}
