// One redraw per animation frame for the whole page, however many parts ask for it.
let draw = () => {};
let asked = false;
let drawing = false;

export function onRedraw(callback) {
  draw = callback;
}

export function redraw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    drawNow();
  });
}

/** Draws before the next key or click is heard, for what is to have the focus then. */
export function drawNow() {
  if (drawing) return redraw();
  drawing = true;
  try {
    draw();
  } finally {
    drawing = false;
  }
}

/**
 * A function that runs `action` once its calls have paused for `ms`; `cancel()` forgets the call that waits, `now()`
 * makes it.
 */
export function settled(action, ms = 200) {
  let timer;
  let due = null;
  const cancel = () => {
    clearTimeout(timer);
    due = null;
  };
  const now = () => {
    const waiting = due;
    cancel();
    waiting?.();
  };
  const soon = (...args) => {
    clearTimeout(timer);
    due = () => action(...args);
    timer = setTimeout(now, ms);
  };
  return Object.assign(soon, { cancel, now });
}
