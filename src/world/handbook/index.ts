import { coordination, genesis, mint, trading } from "./markets.ts";
import { type Page, partOf, type Setting } from "./page.ts";
import { actions, memory, resources, tools } from "./rules.ts";

export { actions as actionsGuide } from "./rules.ts";

/** All handbook pages for a world with the physics and genesis artifacts of `setting`. */
export const handbook = (setting: Setting): readonly Page[] => {
  const minting = partOf(setting, "genesis_mint");
  const pages = [
    { id: "handbook_actions", text: actions() },
    { id: "handbook_tools", text: tools(setting) },
    { id: "handbook_genesis", text: genesis(setting) },
    { id: "handbook_resources", text: resources(setting) },
    { id: "handbook_trading", text: trading(setting) },
    ...(minting === undefined ? [] : [{ id: "handbook_mint", text: mint(setting, minting) }]),
    { id: "handbook_coordination", text: coordination(setting) },
    { id: "handbook_memory", text: memory(setting) },
  ];
  const contents = pages.map(({ id, text }) => `- ${id}: ${titleOf(text)}`);
  return [{ id: "handbook_toc", text: `# Contents\n${contents.join("\n")}\n` }, ...pages];
};

const titleOf = (text: string): string => text.split("\n", 1)[0]?.replace("# ", "") ?? "";
