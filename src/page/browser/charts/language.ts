/**
 * Import this module before uPlot. While uPlot loads, it uses the browser's language and fails on a
 * POSIX name such as `en-US@posix`, which some browsers in containers report. This module replaces
 * such a name with `en`.
 */
const LANGUAGE_TAG = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i;

if (!LANGUAGE_TAG.test(navigator.language)) {
  Object.defineProperty(navigator, "language", { value: "en" });
}
