// Light or dark: as the system says, until the switch is used. Not a module, so that it acts before the first paint.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");

  function kept() {
    try {
      return localStorage.getItem("astragal-theme");
    } catch {
      return null; // a browser may refuse to keep anything
    }
  }

  function keep(theme) {
    try {
      localStorage.setItem("astragal-theme", theme);
    } catch {
      // then it lasts as long as the page
    }
  }

  function apply(theme) {
    document.documentElement.dataset.theme = theme;
    const button = document.getElementById("theme");
    if (button) {
      button.textContent = theme === "dark" ? "☀" : "☾";
      button.setAttribute("aria-label", theme === "dark" ? "Switch to the light theme" : "Switch to the dark theme");
      button.title = button.getAttribute("aria-label");
    }
    document.dispatchEvent(new Event("themechange"));
  }

  const wanted = () => kept() || (system.matches ? "dark" : "light");
  apply(wanted());
  system.addEventListener("change", () => apply(wanted()));
  document.addEventListener("DOMContentLoaded", () => {
    apply(wanted());
    document.getElementById("theme").addEventListener("click", () => {
      const other = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      keep(other);
      apply(other);
    });
  });
})();
