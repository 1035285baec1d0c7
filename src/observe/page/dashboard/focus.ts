/** The elements that get the focus in place of one that has gone. */
const KEEPERS = "[tabindex], section, form, main";

/**
 * Keeps the focus on the page. If the element with the focus disappears, for example because
 * another view is shown, the nearest part of the page around it that is still there gets the focus.
 * Without this, the next Tab would start at the top of the page.
 */
export const keepFocus = (page: HTMLElement): void => {
  let around: readonly HTMLElement[] = [];
  page.addEventListener("focusin", ({ target }) => {
    around = target instanceof HTMLElement || target instanceof SVGElement ? pathOf(target) : [];
  });
  page.addEventListener("focusout", ({ target }) => {
    queueMicrotask(() => {
      // A person has clicked where nothing takes the focus, or has left the page.
      const isThere = target instanceof Node && target.isConnected;
      if (isThere && document.activeElement === document.body) around = [];
    });
  });
  new MutationObserver(() => {
    if (around.length === 0 || document.activeElement !== document.body) return;
    const keeper = around.find((each) => each.isConnected && each.matches(KEEPERS));
    around = [];
    if (keeper === undefined) return;
    if (!keeper.hasAttribute("tabindex")) keeper.tabIndex = -1;
    keeper.focus({ preventScroll: true });
  }).observe(page, { childList: true, subtree: true });
};

/** Moves the focus without following the link. The link would open another view. */
export const toContent = (event: Event): void => {
  event.preventDefault();
  document.getElementById("content")?.focus();
};

/** An element and all elements around it, the innermost first. */
const pathOf = (of: Element): readonly HTMLElement[] => {
  const path: HTMLElement[] = [];
  for (let each: Element | null = of; each !== null; each = each.parentElement) {
    if (each instanceof HTMLElement) path.push(each);
  }
  return path;
};
