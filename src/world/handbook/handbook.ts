import { actionsPage } from "./actions.ts";
import { coordination, genesis, mechanismsPage, partPages, trading } from "./markets.ts";
import type { Page, Setting } from "./page.ts";
import { programErrors, refusals } from "./refusals.ts";
import { memory, resources, tools } from "./rules.ts";
import { syscalls } from "./syscalls.ts";

/** All handbook pages for a world with the physics and genesis artifacts of `setting`. */
export const handbook = (setting: Setting): readonly Page[] => {
  const pages = [
    { id: "handbook_actions", text: actionsPage(setting) },
    { id: "handbook_tools", text: tools(setting) },
    { id: "handbook_trading", text: trading(setting) },
    { id: "handbook_genesis", text: genesis(setting) },
    { id: "handbook_resources", text: resources(setting) },
    { id: "handbook_coordination", text: coordination(setting) },
    { id: "handbook_memory", text: memory(setting) },
    { id: "handbook_syscalls", text: syscalls(setting) },
    { id: "handbook_refusals", text: refusals(setting) },
    { id: "handbook_program_errors", text: programErrors(setting) },
    ...mechanismsPage(setting),
    ...partPages(setting),
  ];
  const contents = pages.map(({ id, text }) => `- ${id}: ${titleOf(text)}`);
  return [{ id: "handbook_toc", text: `# Contents\n${contents.join("\n")}\n` }, ...pages];
};

const titleOf = (text: string): string => text.split("\n", 1)[0]?.replace("# ", "") ?? "";
