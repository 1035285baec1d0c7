import {
  asId,
  BUILT_IN_MEANING,
  canonical,
  FREEWARE,
  type Id,
  interfaceOf,
  nativesIn,
  type Physics,
  type WrittenFields,
} from "../kernel/index.ts";
import type { Request } from "./core/request.ts";
import { handbook } from "./handbook/handbook.ts";
import type { Described } from "./handbook/page.ts";
import { LIBRARY_NAMES, libraryProgram } from "./standard-library.ts";

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
