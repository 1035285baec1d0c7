import { askerOf, type Script, type ServedCall } from "../support/model-server/model-server.ts";
import { calling } from "./smith.ts";
import type { Said } from "./talks.ts";

export const firstText = ({ body }: ServedCall): string => {
  const messages: readonly { readonly role: string; readonly content?: unknown }[] =
    body.messages as never;
  return String(messages.find(({ role }) => role === "user")?.content ?? "");
};

const WAIT: Said = [["wait", { for_s: 1_000 }]];

/** The steps of smith's main conversation, of each helper and of each heartbeat, in order. */
export type SideSteps = {
  readonly main: readonly Said[];
  readonly helpers?: readonly (readonly Said[])[];
  readonly beats?: readonly Said[];
};

export const sideScriptOf = (steps: SideSteps): Script => {
  const done = new Map<string, number>();
  let replies = 0;
  return (call) => {
    if (askerOf(call) !== "smith") return undefined;
    const text = firstText(call);
    const [, helper] = /^You are helper-(\d+)/.exec(text) ?? [];
    const name = helper ?? (text.startsWith("This is your heartbeat") ? "beat" : "main");
    const at = done.get(name) ?? 0;
    done.set(name, at + 1);
    replies += 1;
    const own = helper === undefined ? undefined : steps.helpers?.[Number(helper) - 1];
    const listed = name === "main" ? steps.main : (own ?? steps.beats);
    const said = listed?.[at] ?? (name === "main" ? WAIT : "HEARTBEAT_OK");
    return typeof said === "string" ? calling(replies, [], said) : calling(replies, said);
  };
};
