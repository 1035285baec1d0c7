export { closestFirst, closestWord, didYouMean, meantOrAll, similarWord } from "./did-you-mean.ts";
export {
  bytesText,
  clockText,
  countText,
  dollarText,
  fixedText,
  momentText,
  numberText,
  percentText,
  signedText,
  timeText,
} from "./figures.ts";
export { PACKAGE_ROOT, packageVersion, SIM_COMMAND } from "./package-root.ts";
export { ACTIVE, printable, printableJson } from "./printable.ts";
export { isInPeriod, type Period, parseTimeMs } from "./run-time.ts";
export { firstAtLeast } from "./sorted-numbers.ts";
export { systemMessage } from "./system-message.ts";
export { capitalised, counted, exactTimeText, listed, shortened, WOKE, whole } from "./wording.ts";
