import { commentRule } from "./comments.ts";
import { dependencyRule } from "./dependencies.ts";
import { catchRule } from "./errors.ts";
import { folderCycleRule } from "./folder-cycles.ts";
import { kernelRule } from "./kernel.ts";
import { fileRules, nameRule } from "./names.ts";
import { proseRule } from "./prose.ts";
import { exportRule, orphanRule } from "./reach.ts";
import { doorRule, roomRule, terminalRule } from "./rooms.ts";
import type { Rule } from "./rule.ts";
import { wordRule } from "./words.ts";

/**
 * The style rules that a program can check. Types are checked by `tsc --strict` and by the linter
 * (no `any`, no enums, named exports only).
 */
export const RULES: readonly Rule[] = [
  roomRule,
  doorRule,
  terminalRule,
  folderCycleRule,
  kernelRule,
  orphanRule,
  exportRule,

  catchRule,
  proseRule,
  fileRules,
  nameRule,
  dependencyRule,
  wordRule,
  commentRule,
];
