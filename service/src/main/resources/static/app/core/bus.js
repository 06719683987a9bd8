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

// What a field does with what is typed knows the form as it was drawn last. So what another field was given since then is drawn first, however
// fast fields follow each other; while one field is typed into, nothing is drawn over it. Clicks and check boxes stay with what was seen.
let typed = null;
addEventListener(
  "input",
  ({ target }) => {
    if (target.type === "checkbox" || target.type === "radio") return;
    if (asked && target !== typed) drawNow();
    typed = target;
  },
  true,
);

/** A function that runs `action` once its calls have paused for `ms`; `cancel()` forgets the call that waits. */
export function settled(action, ms = 200) {
  let timer;
  const soon = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), ms);
  };
  return Object.assign(soon, { cancel: () => clearTimeout(timer) });
}
