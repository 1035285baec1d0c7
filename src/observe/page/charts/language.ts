/**
 * Import this module before uPlot, which formats numbers in the browser's language while it loads.
 * uPlot fails on a POSIX name such as `en-US@posix`, which some browsers in containers report.
 */
const LANGUAGE_TAG = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i;

if (!LANGUAGE_TAG.test(navigator.language)) {
  Object.defineProperty(navigator, "language", { value: "en" });
}
