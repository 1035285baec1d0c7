import { kernelRule, outsideRule, syntaxRule } from "./bans.ts";
import { doorRule, extensionRule, layerRule, packageRule } from "./layers.ts";
import { fileNameRule, nameRule } from "./names.ts";
import { catchRule, commentRule } from "./remarks.ts";
import type { Rule } from "./rule.ts";
import { classRule, fileSizeRule, functionRule, lineRule } from "./shape.ts";
import { circleRule, crumbRule, folderRule, typeNameRule } from "./structure.ts";
import { exportRule, typeRule } from "./types.ts";
import { decisionRule, medianRule, orphanRule } from "./whole.ts";
import { wordRule } from "./words.ts";

/** Everything in the law that a program can check. */
export const LAW: readonly Rule[] = [
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
