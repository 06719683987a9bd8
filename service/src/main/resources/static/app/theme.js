// Runs before the first paint, so that a dark page never flashes light. A classic script on purpose:
// modules wait for the document. The choice is "light", "dark" or, absent, what the system says.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const choice = () => localStorage.getItem("peerlens.theme");
  const apply = () => {
    const dark = (choice() ?? (system.matches ? "dark" : "light")) === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    dispatchEvent(new CustomEvent("themechange"));
  };
  window.peerlensTheme = {
    get choice() {
      return choice() ?? "system";
    },
    set choice(value) {
      if (value === "system") localStorage.removeItem("peerlens.theme");
      else localStorage.setItem("peerlens.theme", value);
      apply();
    },
    rows() {
      document.documentElement.dataset.rows = JSON.parse(localStorage.getItem("peerlens.rows") ?? '"dense"');
    },
  };
  window.peerlensTheme.rows();
  system.addEventListener("change", apply);
  apply();
})();
