import {
  asId,
  BUILT_IN_MEANING,
  canonical,
  FREEWARE,
  genesisName,
  type Id,
  NATIVES,
  type Physics,
  type WrittenFields,
} from "../kernel/index.ts";
import { LIBRARY_NAMES, libraryProgram } from "./genesis-library.ts";
import { handbook } from "./handbook/index.ts";
import type { Request } from "./request.ts";

/**
 * The opening of a world: its physics, the parts of genesis it has, the contracts, the handbook.
 * What the world begins with belongs to itself and cannot be changed by anybody.
 */
export const openingRequests = (physics: Physics): readonly Request[] => {
  const natives = NATIVES.filter(({ id }) => physics.genesis.enabled.includes(genesisName(id)));
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
        interface: {
          description: native.description,
          methods: native.methods.map(({ name, description, input_schema, examples }) => ({
            name,
            description,
            input_schema,
            examples,
          })),
        },
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
    ...handbook({ physics, natives, library: documents }).map(({ id, text }) =>
      install(asId(id), { type: "handbook", content: text }),
    ),
  ];
};
