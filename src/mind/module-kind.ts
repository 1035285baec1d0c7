import { z } from "zod";
import { type ConfigOf, mindKind } from "./kind.ts";
import { isModuleName } from "./user/module-path.ts";

const settings = z
  .record(z.string(), z.json())
  .describe("the settings that the functions of a module get, such as decide of mind: ./mind.ts");

const keys = { settings: settings.optional() };
const storedKeys = { module: z.string().refine(isModuleName).optional() };

/** The configuration of an agent whose mind is a module, as its artifact has it. */
export type ModuleConfig = ConfigOf<typeof keys & typeof storedKeys>;

/**
 * `mind: ./mind.ts`: a module of the user decides. Its code runs outside the sandbox, so only the
 * personas of a run can have it. Their artifacts have `mind: module`, and the name of the run's copy.
 */
export const moduleKind = mindKind({
  names: ["module"],
  label: "./mind.ts",
  keys,
  storedKeys,
  cost: "none",
  onlyPersonas: () =>
    "`mind` must not be a module: only the personas of a run can have code outside the sandbox; " +
    'give another mind, such as {"mind":"policy/explorer"}',
  modules: {
    role: "mind",
    inPersona: ({ mind: path }) => [{ path, key: ["mind"] }],
    stored: ({ settings: own }, [module]) => ({
      mind: "module",
      module,
      ...(own === undefined ? {} : { settings: own }),
    }),
    inAgent: ({ module }) => (module === undefined ? [] : [module]),
  },
  load: async () => {
    const { moduleMind } = await import("./user/module-mind.ts");
    const { MIND_FILE, MIND_TEMPLATE, SETTINGS_TEMPLATE } = await import("./user/template.ts");
    return {
      open: (parts) => ({
        create: ({ id }, { module = "", settings: own = {} }) =>
          moduleMind({ id, module: parts.moduleNamed(module, "mind"), settings: own }, parts),
      }),
      preview: null,
      template: () => ({ text: SETTINGS_TEMPLATE, files: { [MIND_FILE]: MIND_TEMPLATE } }),
    };
  },
});
