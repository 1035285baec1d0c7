import { expect, it } from "vitest";
import { SECTION_NAMES } from "../../../src/mind/index.ts";
import { policyGuides } from "../../../src/policy/index.ts";
import { showProblem } from "../../../src/run/config/index.ts";
import { surveyPersonas } from "../../../src/run/persona/load-personas.ts";
import { personaFiles, TEMPLATE_MINDS } from "../../../src/run/persona/template.ts";
import { folderWith } from "../../support/temporary-folder.ts";

const filesOf = (id: string, mind: string) =>
  personaFiles({ id, mind, schema: "../../docs/schema/agent.schema.json" });
const textOf = async (id: string, mind: string): Promise<string> =>
  (await filesOf(id, mind))["agent.yaml"] ?? "";

/** The personas that these files make, and what is wrong with them. */
const surveyed = (files: Readonly<Record<string, string>>) => {
  const inFolder = Object.entries(files).map(([name, text]) => [`x/${name}`, text]);
  const { personas, problems } = surveyPersonas({
    dirs: [folderWith(Object.fromEntries(inFolder))],
    seed: 1,
  });
  return { personas, problems: problems.map(showProblem) };
};

/** The mind of a new persona, as its file names it. */
const written = (mind: string): string => (mind === "file" ? "./mind.ts" : mind);

it.each(TEMPLATE_MINDS)("a new persona with the mind %s is valid as it stands", async (mind) => {
  const personas = [{ mind: written(mind) }];
  expect(surveyed(await filesOf("dora", mind))).toMatchObject({ personas, problems: [] });
});

it.each(TEMPLATE_MINDS)("what is commented out for %s is valid too", async (mind) => {
  const yaml = await textOf("dora", mind);
  const whole = yaml.replaceAll(/^#(?! \S)/gm, "");
  expect(whole).not.toBe(yaml);
  const files = { ...(await filesOf("dora", mind)), "agent.yaml": whole };
  const personas = [{ mind: written(mind), startingScrip: 100 }];
  expect(surveyed(files)).toMatchObject({ personas, problems: [] });
});

it.each(policyGuides())(
  "a new persona with $mind shows every setting at its default",
  async (guide) => {
    const text = await textOf("dora", guide.mind);
    const shown = [...text.matchAll(/^ {2}(\w+): (.+?) # \S/gm)].map((match) => match.slice(1));
    expect(shown).toEqual(guide.settings.map(({ name, default: value }) => [name, value]));
    for (const { meaning } of guide.settings) expect(text).toContain(meaning);
  },
);

it.each(["llm", "workflow"])(
  "a new persona with the mind %s shows all its settings",
  async (mind) => {
    const text = await textOf("dora", mind);
    const settings = [
      ...["llm_model", "temperature", "reasoning", "max_tokens", "cognitive_schema"],
      ...["rag", "query_template", "working_memory", "include_in_rag", "prompt", "budget_tokens"],
    ];
    for (const setting of settings) expect(text).toMatch(new RegExp(`^# *${setting}:`, "m"));
    const sections = /# The sections: (.+)\.\n# {2}order: /.exec(text)?.[1]?.split(", ");
    expect(sections).toEqual(SECTION_NAMES);
    expect(text).toMatch(/temperature and reasoning have no default/);
    expect(text.includes("\nworkflow: ")).toBe(mind === "workflow");
    expect((await filesOf("dora", mind))["system_prompt.md"]).toMatch(/^You build small programs/);
  },
);

it("only minds that read a prompt get one", async () => {
  const withPrompt: string[] = [];
  for (const mind of TEMPLATE_MINDS) {
    if ("system_prompt.md" in (await filesOf("dora", mind))) withPrompt.push(mind);
  }
  expect(withPrompt).toEqual(["llm", "workflow", "tools", "code"]);
});

it("every policy with settings describes them", () => {
  const bare = policyGuides().filter(({ settings }) => settings.length === 0);
  expect(bare.map(({ mind }) => mind)).toEqual(["policy/zero_intelligence"]);
  for (const { settings } of policyGuides()) {
    for (const setting of settings) {
      expect(setting.meaning).not.toBe("");
      expect(setting.form).toMatch(
        /^(whole )?number, |^list of |^true or false|^text$|^text or null/,
      );
    }
  }
});

it.each(["7", "007", "null", "1e3", "True", "a.b-c"])(
  "%s is an id, not another value",
  async (id) => {
    expect(surveyed(await filesOf(id, "script"))).toMatchObject({
      personas: [{ id }],
      problems: [],
    });
  },
);
