/*
 * Measures the page in front of it and gives a list of { rule, where, what }:
 *
 *   sideways   the window or the page scrolls sideways
 *   edge       a box reaches over the left or right edge of the window
 *   cut        text is cut without an ellipsis, a name is cut at all, or an ellipsis hides words that no title gives
 *   overlap    two texts lie on each other
 *   contrast   text below WCAG AA: 4.5 to 1, large text 3 to 1
 *   target     something to touch is less than 44 px high or wide, on windows below 900 px
 *   small      text below 12 px, on windows from 900 px below 11 px
 *   narrow     a table's column of names is less than 160 px wide
 *
 * Text is what Range.getClientRects() gives for text nodes, so a line that wraps is measured line by line. What lies in a box that
 * scrolls is not cut by it, as it can be reached; what a box with overflow hidden or clip leaves out is. A name is the text of a
 * link to one thing (an alert, an object, a group ...), of h1, or of what has data-name. A link inside a sentence is no target of
 * its own. What only screen readers get (clip-path: inset(50%)) is not measured. When a dialog is open, only that is measured.
 */
(() => {
  const LEAST_TARGET = 44;
  const LEAST_NAME = 160;
  const AA = 4.5;
  const AA_LARGE = 3;
  const THING = /^\/(objects|alerts|incidents|outliers|thresholds|super-metrics|top-talkers\/reports|notifications\/(rules|targets|relays|silences|templates))\/[^/?]+|^\/outliers\/events\//;
  const NEW = /\/(new|import)$/;

  function describe(element) {
    const part = (e) => e.localName + (e.id ? `#${e.id}` : "") + (typeof e.className === "string" && e.className.trim() ? `.${e.className.trim().split(/\s+/).slice(0, 3).join(".")}` : "");
    const names = [];
    for (let e = element; e && e.localName !== "main" && e.localName !== "body" && names.length < 4; e = e.parentElement) names.unshift(part(e));
    return names.join(" > ");
  }

  function visible(element) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false;
    for (let e = element; e; e = e.parentElement) if (Number(getComputedStyle(e).opacity) < 0.05 || getComputedStyle(e).clipPath === "inset(50%)") return false;
    return true;
  }

  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };

  /** The ancestors whose overflow says what is seen of an element: absolutely placed ones are cut only by what they are placed in. */
  function* clippers(element) {
    let placed = styleOf(element).position;
    for (let e = element.parentElement; e && e !== document.documentElement; e = e.parentElement) {
      const style = styleOf(e);
      if (placed === "fixed") return;
      if (placed === "absolute" && style.position === "static") continue;
      yield e;
      placed = style.position;
    }
  }

  const hides = (value) => value === "hidden" || value === "clip";
  const scrolls = (value) => value === "auto" || value === "scroll";

  /** What of a box can be seen or reached, and the element that cuts it, if any does. */
  function seen(element, box, own) {
    let { left, right, top, bottom } = box;
    let [cutter, reachX, reachY] = [null, false, false];
    for (const e of own ? [element, ...clippers(element)] : clippers(element)) {
      const style = styleOf(e);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const area = e.getBoundingClientRect();
      if (scrolls(style.overflowX)) reachX = true;
      if (scrolls(style.overflowY)) reachY = true;
      if (hides(style.overflowX) && !reachX && (left < area.left - 1 || right > area.right + 1)) {
        cutter ??= e;
        left = Math.max(left, area.left);
        right = Math.min(right, area.right);
      }
      if (hides(style.overflowY) && !reachY && (top < area.top - 1 || bottom > area.bottom + 1)) {
        cutter ??= e;
        top = Math.max(top, area.top);
        bottom = Math.min(bottom, area.bottom);
      }
    }
    return { left, right, top, bottom, cutter };
  }

  /** What of a box is in sight now within every box that scrolls but the page itself, all of which is looked at. */
  function inSight(element, box) {
    let { left, right, top, bottom } = box;
    for (const e of [element, ...clippers(element)]) {
      if (e.localName === "main") break;
      const style = styleOf(e);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const area = e.getBoundingClientRect();
      left = Math.max(left, area.left);
      right = Math.min(right, area.right);
      top = Math.max(top, area.top);
      bottom = Math.min(bottom, area.bottom);
    }
    return { left, right, top, bottom };
  }

  function stuckIn(element) {
    for (let e = element; e; e = e.parentElement) if (["fixed", "sticky"].includes(styleOf(e).position)) return e;
    return null;
  }

  /** Every line of text that somebody could read. */
  function linesOf(root) {
    const lines = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || ["script", "style", "title", "option", "textarea", "noscript"].includes(element.localName)) continue;
      if (element.closest("[aria-hidden=true] .skeleton, .skip") || !visible(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const rects = element.ownerSVGElement ? [element.getBoundingClientRect()] : [...range.getClientRects()];
      for (const rect of rects) if (rect.width > 0.5 && rect.height > 0.5) lines.push({ node, element, rect, text: node.data.trim().replace(/\s+/g, " ") });
    }
    return lines;
  }

  const short = (text) => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

  function isName(element) {
    const link = element.closest("a[href]");
    if (element.closest("h1, [data-name]")) return true;
    if (!link || element.closest(".m")) return false;
    const address = new URL(link.href);
    return address.origin === location.origin && THING.test(address.pathname) && !NEW.test(address.pathname);
  }

  const titled = (element, within) => {
    for (let e = element; e; e = e.parentElement) {
      if (e.title || e.getAttribute("aria-label") || e.querySelector(":scope > title")) return true;
      if (e === within.parentElement) break;
    }
    return Boolean(element.closest("tr[title], td[title], li[title], label[title]"));
  };

  function parse(colour) {
    const srgb = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)/.exec(colour);
    if (srgb) return [srgb[1] * 255, srgb[2] * 255, srgb[3] * 255, srgb[4] === undefined ? 1 : Number(srgb[4])];
    const [r, g, b, a = 1] = (colour.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    return [r, g, b, a];
  }
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  function luminance([r, g, b]) {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  }
  function ground(element) {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const style = styleOf(e);
      if (style.backgroundImage !== "none") return null;
      const colour = parse(style.backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, colour) => over(colour, below), [255, 255, 255, 1]);
  }
  /** What is painted behind a point of an SVG: the fills of the shapes below it, from the top to the first that covers all. */
  function painted(text, x, y) {
    let svg = text.ownerSVGElement;
    while (svg.ownerSVGElement) svg = svg.ownerSVGElement;
    const before = [...svg.querySelectorAll("rect, circle, ellipse, path, polygon")].filter((shape) => text.compareDocumentPosition(shape) & Node.DOCUMENT_POSITION_PRECEDING);
    const layers = [];
    for (const shape of before.reverse()) {
      const style = styleOf(shape);
      const to = shape.getScreenCTM()?.inverse();
      if (style.fill === "none" || !to || shape.closest("defs, clipPath, mask, pattern") || !visible(shape)) continue;
      if (!shape.isPointInFill(new DOMPoint(x, y).matrixTransform(to))) continue;
      if (style.fill.startsWith("url")) return null;
      const [r, g, b, a] = parse(style.fill);
      const alpha = a * Number(style.fillOpacity) * opacityOf(shape);
      if (alpha > 0) layers.push([r, g, b, alpha]);
      if (alpha === 1) return layers;
    }
    const page = ground(svg);
    return page && [...layers, page];
  }
  function opacityOf(element) {
    let opacity = 1;
    for (let e = element; e; e = e.parentElement) opacity *= Number(styleOf(e).opacity);
    return opacity;
  }
  /** The grounds a text stands on: of the page, in an SVG those of its left, middle and right; null when one cannot be told. */
  function grounds(element) {
    if (!element.ownerSVGElement) {
      const below = ground(element);
      return below && [below];
    }
    const box = element.getBoundingClientRect();
    const places = [0.1, 0.5, 0.9].map((part) => painted(element, box.left + box.width * part, box.top + box.height / 2));
    return places.includes(null) ? null : places.map((layers) => layers.reverse().reduce((below, colour) => over(colour, below), [255, 255, 255, 1]));
  }
  /** The least contrast of a text to what it stands on; null when that cannot be told. */
  function contrast(element) {
    const below = grounds(element);
    if (!below) return null;
    const style = styleOf(element);
    const colour = parse(element.ownerSVGElement ? style.fill : style.color);
    const opacity = opacityOf(element);
    const ratios = below.map((one) => {
      const ink = over([colour[0], colour[1], colour[2], colour[3] * opacity], one);
      const [a, b] = [luminance(ink), luminance(one)].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    });
    return Math.min(...ratios);
  }

  /** The area that answers to a finger: the box, what a pseudo-element or a label adds to it. */
  function target(element) {
    const boxes = [element.getBoundingClientRect()];
    const label = element.closest("label");
    if (label && element.matches("input, select")) boxes.push(label.getBoundingClientRect());
    for (const pseudo of ["::before", "::after"]) {
      const style = getComputedStyle(element, pseudo);
      if (style.content === "none" || style.position !== "absolute" || style.pointerEvents === "none") continue;
      let holder = element;
      while (holder && styleOf(holder).position === "static") holder = holder.parentElement;
      if (!holder) continue;
      const box = holder.getBoundingClientRect();
      const [left, top, width, height] = [style.left, style.top, style.width, style.height].map(parseFloat);
      if ([left, top, width, height].every(Number.isFinite)) boxes.push({ left: box.left + left, top: box.top + top, right: box.left + left + width, bottom: box.top + top + height });
    }
    const [left, right] = [Math.min(...boxes.map((b) => b.left)), Math.max(...boxes.map((b) => b.right))];
    const [top, bottom] = [Math.min(...boxes.map((b) => b.top)), Math.max(...boxes.map((b) => b.bottom))];
    return { width: right - left, height: bottom - top };
  }

  /** Whether a link is a part of a sentence, which goes on before or behind it. */
  function inText(element) {
    if (styleOf(element).display !== "inline") return false;
    const holder = element.closest("p, li, dd, td, .say, .s12, .m, .empty, div, span:not(:only-child)");
    return Boolean(holder) && holder.textContent.trim().length > element.textContent.trim().length + 3 && holder.closest("p, .say, .empty, dd, .note-line, .waiting, .stale, .links-line") !== null;
  }

  window.measure = () => {
    styles.clear();
    const findings = [];
    const told = new Set();
    const find = (rule, element, what) => {
      const where = describe(element);
      const key = `${rule} ${where} ${what.replace(/[\d.]+/g, "0")}`;
      if (!told.has(key)) findings.push({ rule, where, what });
      told.add(key);
    };
    const layer = document.querySelector(".scrim .layer");
    const root = layer ?? document.body;
    const small = innerWidth < 900;
    const html = document.documentElement;
    if (html.scrollWidth > innerWidth + 1) find("sideways", html, `${html.scrollWidth} px wide in a window of ${innerWidth}`);
    for (const e of [document.querySelector("main"), layer]) if (e && !hides(styleOf(e).overflowX) && e.scrollWidth > e.clientWidth + 1) find("sideways", e, `${e.scrollWidth} px wide in ${e.clientWidth}`);

    const lines = linesOf(root);
    const reached = [];
    for (const line of lines) {
      const { element, rect, text } = line;
      const part = seen(element, rect, true);
      const gone = part.right - part.left < 1 || part.bottom - part.top < 1;
      const size = parseFloat(styleOf(element).fontSize);
      if (part.cutter) {
        const wide = rect.left < part.left - 1 || rect.right > part.right + 1;
        // What a clamp or an ellipsis leaves out is there for somebody: in a title, unless it is a name.
        const ellipsis = [element, ...clippers(element)].some((e) => styleOf(e).textOverflow === "ellipsis" && styleOf(e).overflowX !== "visible") || (!wide && styleOf(part.cutter).webkitLineClamp !== "none");
        if (isName(element) && wide) find("cut", element, `the name "${short(text)}" is cut`);
        else if (ellipsis && !titled(element, part.cutter)) find("cut", element, `"${short(text)}" is cut and has no title`);
        else if (!ellipsis && (wide ? !gone || rect.left < innerWidth : Math.max(part.top - rect.top, rect.bottom - part.bottom) > size * 0.35)) find("cut", element, `"${short(text)}" is cut by ${describe(part.cutter)}`);
      }
      if (gone) continue;
      const reachable = [...clippers(element)].some((e) => scrolls(styleOf(e).overflowX) && e.scrollWidth > e.clientWidth + 1);
      if (!part.cutter && !reachable && (rect.left < -1 || rect.right > innerWidth + 1)) find("edge", element, `"${short(text)}" ends at ${Math.round(rect.right)} of ${innerWidth} px`);
      if (size < (small ? 12 : 11) - 0.01) find("small", element, `"${short(text)}" is ${size} px`);
      const off = element.closest("[disabled], [aria-disabled=true], :disabled");
      const ratio = off ? null : contrast(element);
      const large = size >= 24 || (size >= 18.66 && Number(styleOf(element).fontWeight) >= 600);
      if (ratio !== null && ratio < (large ? AA_LARGE : AA)) find("contrast", element, `"${short(text)}" has ${ratio.toFixed(2)} to 1`);
      const sight = inSight(element, part);
      // Letters take less of their line than its box.
      const middle = (rect.top + rect.bottom) / 2;
      const box = { left: sight.left, right: sight.right, top: Math.max(sight.top, middle - size * 0.36), bottom: Math.min(sight.bottom, middle + size * 0.36) };
      if (box.right - box.left > 2 && box.bottom - box.top > 2) reached.push({ ...line, box, stuck: stuckIn(element), page: element.closest("main") });
    }

    reached.sort((a, b) => a.box.top - b.box.top);
    for (let i = 0; i < reached.length; i++) {
      const a = reached[i];
      for (let j = i + 1; j < reached.length && reached[j].box.top < a.box.bottom - 2; j++) {
        const b = reached[j];
        if (a.node === b.node || (a.element === b.element && a.element.ownerSVGElement) || a.stuck !== b.stuck || a.page !== b.page) continue;
        const x = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const y = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (x > 2 && y > 2) find("overlap", a.element, `"${short(a.text)}" and "${short(b.text)}"`);
      }
    }

    const TOUCHED = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=treeitem], [role=separator]";
    for (const element of root.querySelectorAll(TOUCHED)) {
      const box = element.getBoundingClientRect();
      if (box.width < 1 || box.height < 1 || element.closest(".skip") || !element.checkVisibility({ visibilityProperty: true })) continue;
      const part = seen(element, box, false);
      const reachable = [...clippers(element)].some((e) => scrolls(styleOf(e).overflowX));
      if (!reachable && (part.left < -1 || part.right > innerWidth + 1)) find("edge", element, `"${short(element.textContent.trim())}" ends at ${Math.round(part.right)} of ${innerWidth} px`);
      if (!small || element.disabled || styleOf(element).pointerEvents === "none" || inText(element) || part.bottom - part.top < 1 || part.right - part.left < 1) continue;
      const area = target(element);
      if (area.width < LEAST_TARGET - 0.5 || area.height < LEAST_TARGET - 0.5) find("target", element, `"${short(element.getAttribute("aria-label") ?? element.textContent.trim())}" answers on ${Math.round(area.width)} x ${Math.round(area.height)} px`);
    }
    for (const element of root.querySelectorAll("canvas, svg:not(svg svg), .pane, table, input, select, textarea")) {
      if (!visible(element)) continue;
      const box = element.getBoundingClientRect();
      const reachable = [...clippers(element)].some((e) => scrolls(styleOf(e).overflowX) && !e.matches("main"));
      const part = seen(element, box, false);
      if (box.width > 1 && !reachable && (part.left < -1 || part.right > innerWidth + 1 || (box.right > innerWidth + 1 && element.matches("canvas, .pane")))) find("edge", element, `a ${element.localName} ends at ${Math.round(box.right)} of ${innerWidth} px`);
    }
    for (const table of root.querySelectorAll("table")) {
      if (!visible(table) || styleOf(table).display !== "table" || table.closest(".plot-table")) continue;
      const row = [...table.querySelectorAll("tbody tr:not(.gap, .group)")].find((r) => r.cells.length > 2 && visible(r));
      const cell = row && [...row.cells].find((c) => c.matches("td[data-name]") || (c.querySelector("a[href]") && isName(c.querySelector("a[href]"))));
      if (cell && cell.getBoundingClientRect().width < LEAST_NAME - 0.5) find("narrow", cell, `the column of "${short(cell.textContent.trim())}" is ${Math.round(cell.getBoundingClientRect().width)} px wide`);
    }
    return findings;
  };
})();
