import { liveArtifact, type State } from "../../kernel/index.ts";
import type { Described, World } from "../../world/index.ts";
import type { Mechanism } from "./read-mechanisms.ts";

/** What the handbook says of a mechanism. */
export const described = ({ id, fields }: Mechanism): Described => ({
  id,
  description: fields.interface?.description ?? "",
  methods: fields.interface?.methods ?? [],
});

/** Installs mechanisms in a new world, in their order. Returns a problem for each refused one. */
export const installMechanisms = (
  world: World,
  mechanisms: readonly Mechanism[],
): readonly string[] =>
  mechanisms.flatMap(({ id, owner, fields }) => {
    const check = world.checkCode(fields.code ?? "");
    if ("refusal" in check) return [`mechanisms.${id}: ${check.refusal.message}`];
    const { success, message } = world.submit({
      kind: "install_artifact",
      at_ms: 0,
      id,
      owner: owner ?? id,
      fields: { ...fields, ...check },
    });
    return success ? [] : [`mechanisms.${id}: ${message}`];
  });

const INSTEAD = "install it with an entry of `schedule`";

/** Why mechanisms that a user gives to a fork do not fit its world. One line for each. */
export const forkProblems = (state: State, mechanisms: readonly Mechanism[]): readonly string[] =>
  mechanisms.flatMap(({ id, fields }) => {
    const installed = liveArtifact(state, id);
    if (installed === undefined) {
      return [`mechanisms.${id}: this world was created without it; ${INSTEAD}`];
    }
    if (installed.code === fields.code) return [];
    const cure = `leave it out, or ${INSTEAD} under another id`;
    return [`mechanisms.${id}: it differs from the ${id} of this world; ${cure}`];
  });
