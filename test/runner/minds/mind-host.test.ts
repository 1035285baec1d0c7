import { expect, it } from "vitest";
import { z } from "zod";
import { cancelled, FREE, type Model, type Thought } from "../../../src/mind/index.ts";
import { FrameLine } from "../../../src/runner/minds/frame-line.ts";
import type { HostMethods, WorkerMethods } from "../../../src/runner/minds/mind-calls.ts";
import {
  MindHost,
  type WorkerListener,
  type Workers,
} from "../../../src/runner/minds/mind-host.ts";
import { Peer } from "../../../src/runner/minds/peer.ts";
import { RequestWriter } from "../../../src/runner/minds/request-codec.ts";
import { viewWith } from "../../support/view.ts";

const REQUEST = {
  model: "mock",
  purpose: "decide",
  agent: null,
  system: "You trade.",
  prompt: "What now?",
  form: { name: "action", rich: z.unknown(), flat: z.unknown(), described: "", bytes: 100 },
  temperature: null,
  maxTokens: 10,
  reasoning: null,
};

const saying = (message: string): Thought => ({
  kind: "failed",
  reason: "llm_error",
  message,
  memory: null,
  usage: FREE,
});

const SERVED = { servedBy: "mock", latencyMs: 1 };
const NO_TOKENS = {
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  estimated: false,
};
const never = (): Promise<never> => new Promise(() => {});
const until = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()));

type Started = { readonly host: Peer<HostMethods>; readonly end: WorkerListener };

/** Workers of which each has the methods of the next entry. */
const workersWith = (
  ...all: readonly ((host: () => Peer<HostMethods>) => Partial<WorkerMethods>)[]
): Workers & { readonly started: Started[] } => {
  const started: Started[] = [];
  return {
    started,
    want: (accept) => {
      const methodsOf = all[started.length];
      if (methodsOf === undefined) return;
      accept((end) => {
        const line = new FrameLine({ send: end.receive, take: (frame) => host.receive(frame) });
        const host: Peer<HostMethods> = new Peer<HostMethods>(
          { decide: never, attempt: never, ...methodsOf(() => host) },
          (frame) => line.post(frame),
        );
        started.push({ host, end });
        return { send: (batch) => line.receive(batch), end: async () => {} };
      });
    },
    close: async () => {},
  };
};

const NO_MODEL: Model = { ask: never };

const hostOf = (workers: Workers, model = NO_MODEL) => {
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  const durable = async () => true;
  return { host: new MindHost({ workers, model, memory: null, durable, warn: note, note }), notes };
};

const { signal } = new AbortController();

it("makes a thought again if its worker is lost", async () => {
  const workers = workersWith(
    () => ({}),
    () => ({ decide: async () => saying("the second worker") }),
  );
  const { host, notes } = hostOf(workers);
  const thought = host.decide(viewWith(), signal);
  workers.started[0]?.end.lose("a worker has ended");
  expect(await thought).toEqual(saying("the second worker"));
  expect(notes).toEqual(["a worker has ended; its thoughts are made again"]);
});

it("fails a thought whose workers are lost three times", async () => {
  const workers = workersWith(
    () => ({}),
    () => ({}),
    () => ({}),
    () => ({ decide: async () => saying("too late") }),
  );
  const { host } = hostOf(workers);
  const thought = host.decide(viewWith(), signal);
  for (const index of [0, 1, 2]) {
    workers.started[index]?.end.lose(`worker ${index} has ended`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await thought).toEqual(saying("worker 2 has ended"));
});

it("lets the model of the run decide about calls, and the worker make the attempts", async () => {
  const asked: (readonly [string, string])[] = [];
  const model: Model = {
    ask: async (request, asking) => {
      asked.push([request.system, request.prompt]);
      const { text } = Object.assign(
        { text: "none" },
        await request.attemptBy?.({ request, provider: "mock", nth: 0 }, asking),
      );
      return { ok: true, text: `${request.form?.name}, ${text}`, ...SERVED, usage: NO_TOKENS };
    },
  };
  const workers = workersWith((worker) => ({
    decide: async ({ thought }) => {
      const requests = new RequestWriter();
      const longer = { ...REQUEST, prompt: "What now, and why?" };
      await worker().call("ask", { call: 6, thought, request: requests.write(REQUEST) });
      const sent = { call: 7, thought, request: requests.write(longer) };
      const answer = await worker().call("ask", sent);
      return saying(answer.ok && answer.value.ok ? answer.value.text : "no answer");
    },
    attempt: async ({ call, provider }) => {
      return { ok: true, text: `attempt of ${call} by ${provider}`, ...SERVED, usage: NO_TOKENS };
    },
  }));
  const { host } = hostOf(workers, model);
  expect(await host.decide(viewWith(), signal)).toEqual(saying("action, attempt of 7 by mock"));
  expect(asked).toEqual([
    ["You trade.", "What now?"],
    ["You trade.", "What now, and why?"],
  ]);
});

it("cancels a thought and its call", async () => {
  const model: Model = {
    ask: async ({ model: id }, asking) => {
      await until(asking);
      return cancelled(id);
    },
  };
  const workers = workersWith((worker) => ({
    decide: async (_view, deciding) => {
      const sent = { call: 1, thought: null, request: new RequestWriter().write(REQUEST) };
      const answer = await worker().call("ask", sent, deciding);
      return saying(answer.ok && !answer.value.ok ? answer.value.fault : "an answer");
    },
  }));
  const { host } = hostOf(workers, model);
  const stopping = new AbortController();
  const thought = host.decide(viewWith(), stopping.signal);
  stopping.abort();
  expect(await thought).toEqual(saying("cancelled"));
});

it("reports a bug of a worker as a bug", async () => {
  const workers = workersWith(() => ({ decide: () => Promise.reject(new Error("it is broken")) }));
  const { host } = hostOf(workers);
  await expect(host.decide(viewWith(), signal)).rejects.toThrow("it is broken");
});
