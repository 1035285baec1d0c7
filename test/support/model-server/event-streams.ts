import { z } from "zod";

/** An event of a stream: what stands after `data: `. */
export type SentEvent = unknown;

/** Writes a whole reply, in the provider's own form, as the events in which it is streamed. */
export type AsEvents = (whole: unknown) => readonly SentEvent[];

const PIECE_UNITS = 5;

/** A text in pieces, so that each word or key comes in several events. */
export const piecesOf = (text: string): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / PIECE_UNITS) }, (_, at) =>
    text.slice(at * PIECE_UNITS, (at + 1) * PIECE_UNITS),
  );

const google = z.looseObject({
  candidates: z
    .array(
      z.looseObject({
        content: z.looseObject({ parts: z.array(z.looseObject({ text: z.string().optional() })) }),
      }),
    )
    .min(1),
});

export const googleEvents: AsEvents = (whole) => {
  const read = google.safeParse(whole).data;
  const [candidate] = read?.candidates ?? [];
  if (read === undefined || candidate === undefined) return [whole];
  const { content, ...ending } = candidate;
  const parts = content.parts.flatMap((part) =>
    part.text === undefined
      ? [part]
      : piecesOf(part.text).map((text, at) =>
          at === 0 ? { ...part, text } : withText(part, text),
        ),
  );
  return [
    ...parts.map((part) => ({
      candidates: [{ index: 0, content: { role: "model", parts: [part] } }],
    })),
    { ...read, candidates: [ending] },
  ];
};

/** The signature of a part comes with its first piece. */
const withText = (
  { thoughtSignature: _, ...part }: object & { thoughtSignature?: unknown },
  text: string,
) => ({ ...part, text });

const anthropic = z.looseObject({
  type: z.literal("message"),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.unknown(),
  usage: z.looseObject({}).optional(),
});
type AnthropicBlock = z.infer<typeof anthropic>["content"][number];

export const anthropicEvents: AsEvents = (whole) => {
  const message = anthropic.safeParse(whole).data;
  if (message === undefined) return [whole];
  const { content, stop_reason, usage, ...rest } = message;
  const begun = usage === undefined ? {} : { usage: { ...usage, output_tokens: 0 } };
  return [
    { type: "message_start", message: { ...rest, content: [], stop_reason: null, ...begun } },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: emptied(block) },
      ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
};

const emptied = (block: AnthropicBlock): object => {
  if (block.type === "text") return { ...block, text: "" };
  if (block.type === "tool_use") return { ...block, input: {} };
  return block.type === "thinking" ? { type: block.type, thinking: "", signature: "" } : block;
};

const deltasOf = (block: AnthropicBlock): readonly object[] => {
  const pieces = (name: string, text: unknown): readonly object[] =>
    piecesOf(String(text)).map((piece) => ({ type: `${name}_delta`, [keyOf(name)]: piece }));
  switch (block.type) {
    case "text":
      return pieces("text", block.text);
    case "thinking": {
      const signed = { type: "signature_delta", signature: block.signature };
      return [...pieces("thinking", block.thinking), signed];
    }
    case "tool_use":
      return pieces("input_json", JSON.stringify(block.input));
    default:
      return [];
  }
};

const keyOf = (name: string): string => (name === "input_json" ? "partial_json" : name);

const chat = z.looseObject({
  choices: z.array(
    z.looseObject({
      message: z.looseObject({
        content: z.string().nullish(),
        reasoning_content: z.string().nullish(),
        refusal: z.string().nullish(),
        tool_calls: z
          .array(z.looseObject({ function: z.looseObject({ arguments: z.string() }) }))
          .nullish(),
      }),
      finish_reason: z.unknown(),
    }),
  ),
  usage: z.unknown(),
});

export const chatEvents: AsEvents = (whole) => {
  const read = chat.safeParse(whole).data;
  if (read === undefined) return [whole];
  const { choices, usage, ...frame } = read;
  const chunk = (delta: object, finish: object = {}): object => ({
    ...frame,
    choices: [{ index: 0, delta, ...finish }],
  });
  const [choice] = choices;
  const end = usage === undefined ? [] : [{ ...frame, choices: [], usage }];
  if (choice === undefined) return [...end, "[DONE]"];
  const { message, finish_reason } = choice;
  const texts = (["reasoning_content", "content", "refusal"] as const).flatMap((key) =>
    piecesOf(message[key] ?? "").map((piece) => chunk({ [key]: piece })),
  );
  const calls = (message.tool_calls ?? []).flatMap(({ function: called, ...call }, index) => [
    chunk({ tool_calls: [{ ...call, index, function: { ...called, arguments: "" } }] }),
    ...piecesOf(called.arguments).map((piece) =>
      chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ]);
  return [...texts, ...calls, chunk({}, { finish_reason }), ...end, "[DONE]"];
};

const responses = z.looseObject({
  status: z.string(),
  output: z.array(
    z.looseObject({
      type: z.string(),
      id: z.string(),
      content: z.array(z.looseObject({ type: z.string() })).optional(),
      summary: z.array(z.looseObject({ text: z.string() })).optional(),
      arguments: z.string().optional(),
    }),
  ),
});
type OutputItem = z.infer<typeof responses>["output"][number];

export const responsesEvents: AsEvents = (whole) => {
  const response = responses.safeParse(whole).data;
  if (response === undefined) return [whole];
  const { output, status, ...frame } = response;
  return [
    { type: "response.created", response: { ...frame, status: "in_progress" } },
    ...output.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item: { ...item, ...bareOf(item) } },
      ...itemEvents(item).map((event) => ({ ...event, item_id: item.id, output_index })),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: `response.${status}`, sequence_number: 9, response },
  ];
};

const bareOf = (item: OutputItem): object =>
  item.arguments === undefined ? { content: [] } : { arguments: "" };

const itemEvents = ({ content = [], summary = [], ...item }: OutputItem): readonly object[] => [
  ...summary.flatMap(({ text }, summary_index) => [
    { type: "response.reasoning_summary_part.added", summary_index },
    ...piecesOf(text).map((delta) => {
      return { type: "response.reasoning_summary_text.delta", summary_index, delta };
    }),
    { type: "response.reasoning_summary_part.done", summary_index },
  ]),
  ...content.flatMap((part) => {
    const type = part.type === "refusal" ? "response.refusal.delta" : "response.output_text.delta";
    return piecesOf(String(part.refusal ?? part.text)).map((delta) => ({ type, delta }));
  }),
  ...piecesOf(item.arguments ?? "").map((delta) => {
    return { type: "response.function_call_arguments.delta", delta };
  }),
];
