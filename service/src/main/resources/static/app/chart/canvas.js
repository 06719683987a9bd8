// Canvases that fit the screen, in the colours of the theme.

// Colours of each themed part of the page, read once per theme; painting uses those of the last `theme` call.
let palettes = new WeakMap();
/** @type {(token?: string) => any} */
let colours = () => () => "";
addEventListener("themechange", () => (palettes = new WeakMap()));

/** Makes what follows paint in the colours that hold at `element`. */
export function theme(element) {
  const root = element.closest("[data-theme]");
  if (!palettes.has(root)) {
    const style = getComputedStyle(root);
    const cache = new Map();
    palettes.set(root, (name) => {
      if (!cache.has(name)) cache.set(name, style.getPropertyValue(name).trim());
      return cache.get(name);
    });
  }
  const palette = palettes.get(root);
  colours = () => palette;
}

/** A colour by its token, in the theme of the last `theme` call. */
export const ink = (token) => colours()(token);

/** Fits a canvas to its box at the resolution of the screen and gives its context in CSS pixels. */
export function fit(canvas, width, height) {
  // What is made larger, as on a wall, is drawn with as many points as it has there.
  const ratio = (devicePixelRatio || 1) * (canvas.currentCSSZoom ?? 1);
  const w = Math.round(width * ratio);
  const h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Strokes runs of points, `[x, y, x, y, ...]` each. */
export function stroke(context, lines) {
  context.beginPath();
  for (const line of lines) {
    // A sample alone is a dot.
    context.moveTo(line.length === 2 ? line[0] - 1 : line[0], line[1]);
    if (line.length === 2) context.lineTo(line[0] + 1, line[1]);
    for (let i = 2; i < line.length; i += 2) context.lineTo(line[i], line[i + 1]);
  }
  context.stroke();
}
