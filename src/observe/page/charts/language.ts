/**
 * uPlot formats numbers in the language of the browser as soon as it is loaded, and fails where
 * that is named as POSIX does (`en-US@posix`: browsers in bare containers). To be imported before
 * it.
 */
const LANGUAGE_TAG = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i;

if (!LANGUAGE_TAG.test(navigator.language)) {
  Object.defineProperty(navigator, "language", { value: "en" });
}
