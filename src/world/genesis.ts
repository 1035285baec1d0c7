import {
  asId,
  BUILT_IN_MEANING,
  canonical,
  type Id,
  NATIVES,
  type Physics,
  type WrittenFields,
} from "../kernel/index.ts";
import { handbook } from "./handbook.ts";
import type { Request } from "./request.ts";

const PUBLIC_READ = asId("genesis_contract_freeware");

/**
 * The opening of a world: its physics, the parts of genesis it has, the contracts, the handbook.
 * What the world begins with belongs to itself and cannot be changed by anybody.
 */
export const openingRequests = (physics: Physics): readonly Request[] => {
  const natives = NATIVES.filter(({ id }) =>
    physics.genesis.enabled.includes(id.replace(/^genesis_/, "")),
  );
  const install = (id: Id, fields: WrittenFields): Request => ({
    kind: "install_artifact",
    at_ms: 0,
    id,
    owner: id,
    fields: { ...fields, access: PUBLIC_READ },
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
    ...handbook(physics, natives).map(({ id, text }) =>
      install(asId(id), { type: "handbook", content: text }),
    ),
  ];
};
