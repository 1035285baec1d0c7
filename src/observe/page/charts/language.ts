/**
 * Import this module before uPlot. When uPlot loads, it formats numbers in the browser's language.
 * uPlot fails on a POSIX name such as `en-US@posix`. Some browsers in containers report such a
 * name.
 */
const LANGUAGE_TAG = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i;

if (!LANGUAGE_TAG.test(navigator.language)) {
  Object.defineProperty(navigator, "language", { value: "en" });
}
