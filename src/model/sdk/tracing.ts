import { OpenTelemetry } from "@ai-sdk/otel";
import type {
  EmbeddingModelV4,
  EmbeddingModelV4Result,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-base";
import { APICallError, embedMany, generateText, type TelemetryOptions } from "ai";
import { errorMessage } from "../../kernel/index.ts";
import type { ModelRequest } from "../port/model.ts";

export type TracingSettings = {
  /** The address of the collector, without `/v1/traces`. */
  readonly otlp: string;
  readonly recordPrompts: boolean;
  readonly run: string;
  /** Takes a note if the collector fails. */
  readonly note: (text: string) => void;
};

/** How long the end of a run waits for the collector, and how long each export may take. */
const EXPORT_MS_MAX = 5_000;

/**
 * Makes calls with spans of the AI SDK's own telemetry. The SDK's functions get a model that makes
 * our call, with our options, so that a traced call sends the same request as any other call, and
 * its answer or error is that of the provider's package.
 */
export class Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #telemetry: OpenTelemetry;
  readonly #recordPrompts: boolean;

  constructor({ otlp, recordPrompts, run, note }: TracingSettings) {
    const url = `${otlp.replace(/\/+$/, "")}/v1/traces`;
    const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS_MAX });
    this.#recordPrompts = recordPrompts;
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ "service.name": "catallaxy", "catallaxy.run": run }),
      spanProcessors: [new BatchSpanProcessor(withNote(exporter, note))],
    });
    this.#telemetry = new OpenTelemetry({
      tracer: this.#provider.getTracer("catallaxy"),
      agentSpanName: "functionId",
      runtimeContext: true,
    });
  }

  async generate(
    model: LanguageModelV4,
    options: LanguageModelV4CallOptions,
    request: ModelRequest,
  ): Promise<LanguageModelV4GenerateResult> {
    const { specificationVersion, provider, modelId } = model;
    const { doGenerate, outcome } = observed(() => model.doGenerate(options));
    const inner = { specificationVersion, provider, modelId, supportedUrls: {} } as const;
    const traced = generateText({
      model: {
        ...inner,
        doGenerate: async () => ({ ...(await doGenerate()), warnings: [] }),
        doStream: () => Promise.reject(new Error("a traced call is made with doGenerate")),
      },
      ...(request.system === "" ? {} : { instructions: request.system }),
      prompt: request.prompt,
      maxRetries: 0,
      ...(options.maxOutputTokens === undefined
        ? {}
        : { maxOutputTokens: options.maxOutputTokens }),
      ...(request.temperature === null ? {} : { temperature: request.temperature }),
      ...this.#about(request),
    });
    return outcome(traced);
  }

  async embed(
    model: EmbeddingModelV4,
    values: string[],
    { request, signal }: { readonly request: ModelRequest; readonly signal: AbortSignal },
  ): Promise<EmbeddingModelV4Result> {
    const { specificationVersion, provider, modelId } = model;
    const call = { values, abortSignal: signal };
    const { doGenerate: doEmbed, outcome } = observed(() => model.doEmbed(call));
    const limits = { maxEmbeddingsPerCall: undefined, supportsParallelCalls: false };
    const inner = { specificationVersion, provider, modelId, ...limits } as const;
    const traced = embedMany({
      model: { ...inner, doEmbed: async () => ({ ...(await doEmbed()), warnings: [] }) },
      values,
      maxRetries: 0,
      ...this.#about(request),
    });
    return outcome(traced);
  }

  /** Sends the spans that are left. Never rejects. */
  async close(): Promise<void> {
    try {
      await this.#provider.shutdown();
    } catch {
      // `withNote` has noted the failure of an export.
    }
  }

  #about({ agent, purpose, atMs, attempt = 0 }: ModelRequest) {
    const runtimeContext = { agent: agent ?? "", purpose, at_ms: atMs ?? -1, attempt };
    const telemetry: TelemetryOptions<typeof runtimeContext> = {
      integrations: [this.#telemetry],
      functionId: purpose,
      recordInputs: this.#recordPrompts,
      recordOutputs: this.#recordPrompts,
      includeRuntimeContext: { agent: true, purpose: true, at_ms: true, attempt: true },
    };
    return { runtimeContext, telemetry };
  }
}

/** Remembers the answer or the error of a call, because the SDK's functions change both. */
const observed = <Answer>(call: () => PromiseLike<Answer>) => {
  let ended: (() => Answer) | null = null;
  const doGenerate = async (): Promise<Answer> => {
    try {
      const answer = await call();
      ended = () => answer;
      return answer;
    } catch (error) {
      ended = () => {
        throw error;
      };
      throw new Error(publicError(error));
    }
  };
  const outcome = async (traced: PromiseLike<unknown>): Promise<Answer> => {
    try {
      await traced;
    } catch (error) {
      if (ended === null) throw error;
    }
    if (ended === null) throw new Error("no call was made");
    return ended();
  };
  return { doGenerate, outcome };
};

/** An error for the span. The messages of providers may quote prompts or keys. */
const publicError = (error: unknown): string => {
  if (APICallError.isInstance(error))
    return `the provider answered ${error.statusCode ?? "nothing"}`;
  return error instanceof Error ? error.name : "the call failed";
};

/** Takes one note if an export fails. Spans that cannot be sent are lost. */
const withNote = (exporter: SpanExporter, note: (text: string) => void): SpanExporter => {
  let isNoted = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0 && !isNoted) {
          isNoted = true;
          const why = result.error === undefined ? "it failed" : errorMessage(result.error);
          note(`spans could not be sent to the collector at llm.telemetry.otlp: ${why}`);
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
};
