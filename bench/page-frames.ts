/** Programs for a page. Each one's result is the longest frame in ms while something moves. */

/** Calls `move` with the number of each frame. Leaves out the first frames, before it moves. */
const longestOf = (frames: number, before: string, move: string): string => `new Promise((done) => {
  ${before}
  let [at, last, worst] = [0, performance.now(), 0];
  const step = (now) => {
    if (at > 2) worst = Math.max(worst, now - last);
    last = now;
    at += 1;
    ${move}
    if (at < ${frames}) requestAnimationFrame(step);
    else done(worst);
  };
  requestAnimationFrame(step);
})`;

/** Scrolls the list of events for 240 frames. */
export const SCROLL = longestOf(
  240,
  `const list = document.querySelector(".event-lines"); list.scrollTop = 0;`,
  "list.scrollTop += 2000;",
);

/** Moves the mouse over the first chart for 180 frames. All charts follow its cursor. */
export const POINT = longestOf(
  180,
  `const over = document.querySelector(".chart-plot"); const box = over.getBoundingClientRect();`,
  `const clientX = box.left + (box.width * at) / 180;
  const place = { clientX, clientY: box.top + box.height / 2, bubbles: true };
  over.dispatchEvent(new PointerEvent("pointermove", place));`,
);

/** Plays the run from its start at 60 seconds a second, for 300 frames. */
export const PLAY = longestOf(
  300,
  `const press = (text) => [...document.querySelectorAll(".time-bar button")]
    .find((button) => (button.ariaLabel ?? button.textContent) === text).click();
  press("60×");
  press("Play");`,
  "",
);
