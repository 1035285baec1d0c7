import { kernelRule, outsideRule } from "./bans.ts";
import { catchRule, commentRule } from "./comments.ts";
import { doorRule, layerRule } from "./layers.ts";
import { fileNameRule, nameRule } from "./names.ts";
import { decisionRule, medianRule, orphanRule } from "./project-rules.ts";
import type { Rule } from "./rule.ts";
import { classRule, fileSizeRule, functionRule, lineRule } from "./shape.ts";
import { crumbRule, folderRule, typeNameRule } from "./structure.ts";
import { typeRule } from "./types.ts";
import { wordRule } from "./words.ts";

/** The style rules that a program can check. */
export const RULES: readonly Rule[] = [
  layerRule,
  doorRule,
  kernelRule,
  outsideRule,
  fileSizeRule,
  functionRule,
  lineRule,
  classRule,
  typeRule,
  fileNameRule,
  nameRule,
  commentRule,
  catchRule,
  decisionRule,
  orphanRule,
  medianRule,
  crumbRule,
  typeNameRule,
  folderRule,
  wordRule,
];
