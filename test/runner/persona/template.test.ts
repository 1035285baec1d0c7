import { expect, it } from "vitest";
import { loadPersonas } from "../../../src/runner/persona/load-personas.ts";
import { personaTemplate, TEMPLATE_MINDS } from "../../../src/runner/persona/template.ts";
import { folderWith } from "../folder.ts";

it.each(TEMPLATE_MINDS)("a new persona with the mind %s is valid as it stands", (mind) => {
  const dir = folderWith({ "dora/agent.yaml": personaTemplate("dora", mind) });
  expect(loadPersonas(dir, { only: [] })).toMatchObject({ ok: true, personas: [{ mind }] });
});

it.each(["7", "007", "null", "1e3", "True", "a.b-c"])("%s is an id, not another value", (id) => {
  const dir = folderWith({ "x/agent.yaml": personaTemplate(id, "script") });
  expect(loadPersonas(dir, { only: [] })).toMatchObject({ ok: true, personas: [{ id }] });
});
