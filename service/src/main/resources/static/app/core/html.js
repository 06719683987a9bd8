// The only place that names the template library and its version.
export { html, svg, render, nothing } from "/webjars/lit-html/3.3.2/lit-html.js";
export { AsyncDirective, directive } from "/webjars/lit-html/3.3.2/async-directive.js";
export { repeat } from "/webjars/lit-html/3.3.2/directives/repeat.js";
export { live } from "/webjars/lit-html/3.3.2/directives/live.js";
export { ref } from "/webjars/lit-html/3.3.2/directives/ref.js";
