import { expect, it } from "vitest";
import { policyGuides } from "../../../src/mind/index.ts";
import { loadPersonas } from "../../../src/runner/persona/load-personas.ts";
import { personaTemplate, TEMPLATE_MINDS } from "../../../src/runner/persona/template.ts";
import { folderWith } from "../folder.ts";

it.each(TEMPLATE_MINDS)("a new persona with the mind %s is valid as it stands", (mind) => {
  const dir = folderWith({ "dora/agent.yaml": personaTemplate("dora", mind) });
  expect(loadPersonas(dir, { only: [] })).toMatchObject({ ok: true, personas: [{ mind }] });
});

it.each(policyGuides())("a new persona with $mind shows every setting at its default", (guide) => {
  const text = personaTemplate("dora", guide.mind);
  const shown = [...text.matchAll(/^ {2}(\w+): (.+?) # \S/gm)].map(([_, name, value]) => [
    name,
    value,
  ]);
  expect(shown).toEqual(guide.settings.map(({ name, default: value }) => [name, value]));
  for (const { meaning } of guide.settings) expect(text).toContain(meaning);
});

it("each policy but the one that has none tells of its settings", () => {
  const bare = policyGuides().filter(({ settings }) => settings.length === 0);
  expect(bare.map(({ mind }) => mind)).toEqual(["policy/zero_intelligence"]);
  for (const { settings } of policyGuides()) {
    for (const setting of settings) {
      expect(setting.meaning).not.toBe("");
      expect(setting.form).toMatch(/^(whole )?number, |^list of |^true or false|^text or null/);
    }
  }
});

it.each(["7", "007", "null", "1e3", "True", "a.b-c"])("%s is an id, not another value", (id) => {
  const dir = folderWith({ "x/agent.yaml": personaTemplate(id, "script") });
  expect(loadPersonas(dir, { only: [] })).toMatchObject({ ok: true, personas: [{ id }] });
});
