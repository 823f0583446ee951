import { mount } from "svelte";
import App from "./App.svelte";
import "./styles/app.css";

// A newer page was built while this one was open: its parts have other names now, and only loading it again brings them. A server
// that does not answer is another matter, which the game tells by itself.
const RELOADED = "sandtable.reloaded";
window.addEventListener("vite:preloadError", () => {
  void fetch("/", { cache: "no-store" }).then(
    (answer) => {
      const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
      if (!answer.ok || Date.now() - last < 10_000) return; // once is enough
      sessionStorage.setItem(RELOADED, String(Date.now()));
      location.reload();
    },
    () => undefined,
  );
});

const target = document.getElementById("app");
if (target) mount(App, { target });
