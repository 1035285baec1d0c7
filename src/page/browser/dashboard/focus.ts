/** The elements that can get the focus if one in them disappears. */
const FALLBACKS = "[tabindex], section, form, main";

/**
 * Keeps the focus on the page. If the element with the focus disappears, for example because
 * another view is shown, its nearest ancestor that is still on the page and can get the focus gets
 * it. Without this, the next Tab would start at the top of the page.
 */
export const keepFocus = (page: HTMLElement): void => {
  let ancestors: readonly HTMLElement[] = [];
  page.addEventListener("focusin", ({ target }) => {
    ancestors = target instanceof Element ? ancestorsOf(target) : [];
  });
  page.addEventListener("focusout", ({ target }) => {
    queueMicrotask(() => {
      // The element is still there: a person has clicked elsewhere, or has left the page.
      const isThere = target instanceof Node && target.isConnected;
      if (isThere && document.activeElement === document.body) ancestors = [];
    });
  });
  new MutationObserver(() => {
    if (ancestors.length === 0 || document.activeElement !== document.body) return;
    const fallback = ancestors.find((each) => each.isConnected && each.matches(FALLBACKS));
    ancestors = [];
    if (fallback === undefined) return;
    if (!fallback.hasAttribute("tabindex")) fallback.tabIndex = -1;
    fallback.focus({ preventScroll: true });
  }).observe(page, { childList: true, subtree: true });
};

/** Moves the focus to the content. Following the link would open another view. */
export const toContent = (event: Event): void => {
  event.preventDefault();
  document.getElementById("content")?.focus();
};

/** An element and all its ancestors, the innermost first. */
const ancestorsOf = (of: Element): readonly HTMLElement[] => {
  const found: HTMLElement[] = [];
  for (let each: Element | null = of; each !== null; each = each.parentElement) {
    if (each instanceof HTMLElement) found.push(each);
  }
  return found;
};
