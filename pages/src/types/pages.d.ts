// What the type check cannot see in the modules: globals, and elements that a selector finds.

/** The choice of light and dark, by app/theme.js. */
declare const peerlensTheme: { choice: string; rows(): void };

interface Window {
  peerlensTheme: typeof peerlensTheme;
}

/** A selector that is not just a tag finds an element of HTML. */
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}
