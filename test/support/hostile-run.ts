import { join } from "node:path";
import { asId, type Json } from "../../src/kernel/index.ts";
import { writePersonas } from "./model-run.ts";
import { prepareRun } from "./simulation-run.ts";

/** Characters that change the direction of text, begin a line, or control a terminal. */
export const ACTIVE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  /[\u0000-\u0008\u001b\u0085\u2028-\u202e\u2066-\u2069]/;

const ESC = "\u001b";

/** Text that would run or change the page or the terminal if it were not shown as text. */
export const HOSTILE = [
  `${ESC}[31mred${ESC}[2J \u202egpj.exe\u2066 \u0007 line\u2028paragraph\u2029\u0085end`,
  `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`,
  `"><svg onload=alert(1)><style>*{display:none}</style></pre></bdi></div>`,
  `javascript:alert(1) {{constructor.constructor('alert(1)')()}} \${alert(1)}`,
  "%3Cscript%3E &lt;b&gt; <!-- ]]> </textarea>",
].join("\n");

/** The most hostile valid id. */
export const HOSTILE_ID = `x-._${"script.alert_1.".repeat(8)}`.slice(0, 120);

/** An agent that fails until an alarm is raised. */
const FAILING = {
  mind: "script",
  script: [{ invoke_artifact: { artifact_id: HOSTILE_ID, method: HOSTILE, args: [HOSTILE] } }],
  script_loop: true,
};

/**
 * Makes a run `hostile` in `out`, with hostile text in every place that agents can write. Returns
 * the messages for the first write and the first call.
 */
export const hostileRun = async (out: string): Promise<readonly string[]> => {
  const agents = join(out, "personas");
  writePersonas(agents, { ada: { mind: "policy/worker" }, eve: FAILING });
  const sets = ["run.duration_s=12", "health.window_s=5", "health.every_s=5"];
  const order = { labels: [HOSTILE] };
  const launch = prepareRun(join(out, "runs"), { agents, runId: "hostile", sets, order });
  const act = (action: Json, id = "ada"): string => {
    const by = { at_ms: 0, principal: asId(id) } as const;
    return launch.runner.world.submit({ kind: "take_action", ...by, action }).message;
  };
  const method = { name: "run", description: HOSTILE, input_schema: {} };
  const written = act({
    write_artifact: {
      artifact_id: HOSTILE_ID,
      artifact_type: `note\u2028\u202e`,
      read_price: 1,
      content: HOSTILE,
      metadata: { [HOSTILE]: HOSTILE },
      code: `function run() { throw new Error(${JSON.stringify(HOSTILE)}) }`,
      interface: { description: HOSTILE, methods: [method] },
    },
  });
  const called = act({
    invoke_artifact: { artifact_id: HOSTILE_ID, method: "run", args: [HOSTILE] },
  });
  act({ read_artifact: { artifact_id: HOSTILE } });
  act({ [HOSTILE]: { artifact_id: HOSTILE } });
  act({ read_artifact: { artifact_id: HOSTILE_ID } }, "eve");
  launch.runner.operate().execute({ kind: "send_message", agent: "eve", text: HOSTILE });
  await launch.run();
  return [written, called];
};
