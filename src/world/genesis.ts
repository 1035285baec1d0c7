import {
  asId,
  BUILT_IN_MEANING,
  canonical,
  FREEWARE,
  type Id,
  interfaceOf,
  isObject,
  nativesIn,
  type Physics,
  type WrittenFields,
} from "../kernel/index.ts";
import { type Described, handbook } from "./handbook/index.ts";
import type { JournalReader } from "./journal/index.ts";
import type { Request } from "./request.ts";
import { LIBRARY_NAMES, libraryProgram } from "./standard-library.ts";
import { decodeJson } from "./wire-codec.ts";

/**
 * The first requests of a world. Each artifact owns itself, so that no agent can change it. The
 * handbook describes `mechanisms`, which are installed later.
 */
export const openingRequests = (
  physics: Physics,
  mechanisms: readonly Described[] = [],
): readonly Request[] => {
  const natives = nativesIn(physics);
  const documents = LIBRARY_NAMES.filter((name) => physics.genesis.enabled.includes(name)).map(
    libraryProgram,
  );
  const install = (id: Id, fields: WrittenFields): Request => ({
    kind: "install_artifact",
    at_ms: 0,
    id,
    owner: id,
    fields: { ...fields, access: FREEWARE },
  });
  return [
    { kind: "create_world", at_ms: 0, physics },
    ...[...BUILT_IN_MEANING].map(([id, content]) => install(id, { type: "contract", content })),
    ...natives.map((native) =>
      install(asId(native.id), {
        type: "genesis",
        content: canonical({
          description: native.description,
          methods: native.methods.map(({ name, description }) => ({ name, description })),
        }),
        methods: ["describe", ...native.methods.map(({ name }) => name)],
        interface: interfaceOf(native, physics),
      }),
    ),
    ...documents.map(({ id, code, interface: declared }) =>
      install(asId(id), {
        type: "genesis",
        content: declared.description,
        code,
        methods: declared.methods.map(({ name }) => name),
        interface: declared,
        has_standing: true,
      }),
    ),
    ...handbook({ physics, natives, library: documents, mechanisms }).map(({ id, text }) =>
      install(asId(id), { type: "handbook", content: text }),
    ),
  ];
};

/** The kinds of requests that create a world and its first agents. They come before any action. */
const OPENING: ReadonlySet<unknown> = new Set<Request["kind"]>([
  "create_world",
  "install_artifact",
  "create_agent",
  "plan_schedule",
]);

/** The last event number of the opening requests, or of the base if the journal has a base. */
export const endOfOpening = (journal: JournalReader): number => {
  let end = journal.baseMark()?.seq ?? 0;
  if (end > 0) return end;
  for (const { firstSeq, lastSeq, command } of journal.transactions()) {
    // The first command is not checked, because it only notes that the run has started.
    if (firstSeq > 1 && !OPENING.has(kindOf(command))) break;
    end = lastSeq;
  }
  return end;
};

const kindOf = (command: string): unknown => {
  const request = decodeJson(command);
  return isObject(request) ? request.kind : null;
};
