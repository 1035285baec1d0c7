import { ACTION_KINDS, isObject, type Json } from "../../../kernel/index.ts";

/** An action as a variable holds it, without what others said about it. */
export type KnownDeed = {
  readonly action: string;
  readonly target: string | null;
  readonly method: string | null;
  readonly ok: boolean;
  readonly code: string | null;
};

const textOrNull = (value: Json | undefined): string | null =>
  typeof value === "string" ? value : null;

/** The actions in a variable, oldest first. What is none, as a thought that failed, is left out. */
export const deedsIn = (value: Json | undefined): readonly KnownDeed[] =>
  (Array.isArray(value) ? value : []).flatMap((item: Json) => {
    if (!isObject(item)) return [];
    const action = ACTION_KINDS.find((kind) => kind === item.action);
    if (action === undefined) return [];
    const { target, method, ok, code } = item;
    return [
      {
        action,
        target: textOrNull(target),
        method: textOrNull(method),
        ok: ok === true,
        code: textOrNull(code),
      },
    ];
  });
