import { kernelRule, outsideRule, syntaxRule } from "./bans.ts";
import { catchRule, commentRule } from "./comments.ts";
import { doorRule, extensionRule, layerRule, packageRule } from "./layers.ts";
import { fileNameRule, nameRule } from "./names.ts";
import { decisionRule, medianRule, orphanRule } from "./project-rules.ts";
import type { Rule } from "./rule.ts";
import { classRule, fileSizeRule, functionRule, lineRule } from "./shape.ts";
import { circleRule, crumbRule, folderRule, typeNameRule } from "./structure.ts";
import { exportRule, typeRule } from "./types.ts";
import { wordRule } from "./words.ts";

/** The style rules that a program can check. */
export const RULES: readonly Rule[] = [
  syntaxRule,
  layerRule,
  doorRule,
  extensionRule,
  packageRule,
  kernelRule,
  outsideRule,
  fileSizeRule,
  functionRule,
  lineRule,
  classRule,
  typeRule,
  exportRule,
  fileNameRule,
  nameRule,
  commentRule,
  catchRule,
  decisionRule,
  orphanRule,
  medianRule,
  crumbRule,
  circleRule,
  typeNameRule,
  folderRule,
  wordRule,
];
