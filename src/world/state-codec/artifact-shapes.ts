import type {
  Artifact,
  CodeHistory,
  Customer,
  DatedCode,
  Interface,
  InterfaceMethod,
  Offer,
  Tombstone,
  Trade,
} from "../../kernel/index.ts";
import {
  amount,
  byName,
  finite,
  flag,
  id,
  json,
  jsonObject,
  list,
  nullable,
  optional,
  record,
  text,
} from "./shape.ts";

type Example = NonNullable<InterfaceMethod["examples"]>[number];

const method = record<InterfaceMethod>({
  name: text,
  description: text,
  input_schema: jsonObject,
  output_schema: optional(jsonObject),
  examples: optional(list(record<Example>({ args: list(json), result: json }))),
});

export const artifact = record<Artifact>({
  id,
  ordinal: amount,
  type: text,
  content: text,
  code: nullable(text),
  codePrint: text,
  codeOrdinal: amount,
  methods: list(text),
  version: amount,
  owner: id,
  createdBy: id,
  createdAt: amount,
  updatedAt: amount,
  access: id,
  accessBy: nullable(id),
  accessLocked: flag,
  price: amount,
  readPrice: amount,
  interface: nullable(record<Interface>({ description: text, methods: list(method) })),
  hasStanding: flag,
  canExecute: flag,
  memoryArtifactId: nullable(id),
  state: text,
  dependsOn: list(id),
  metadata: jsonObject,
  deleted: nullable(record<Tombstone>({ at: amount, by: id })),
  sizeBytes: amount,
});

export const trade = record<Trade>({
  calls: amount,
  callsByOthers: amount,
  failures: amount,
  reads: amount,
  revenue: finite,
  lastCalledAt: amount,
});

export const customer = record<Customer>({
  artifact: id,
  principal: id,
  calls: amount,
  paid: finite,
  paidTo: byName(finite),
});

export const history = record<CodeHistory>({
  artifact: id,
  sold: flag,
  past: list(record<DatedCode>({ print: text, ordinal: amount, sold: flag })),
});

export const offer = record<Offer>({ artifact: id, from: id, to: id });
