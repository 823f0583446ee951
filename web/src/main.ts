import { mount } from "svelte";
import App from "./App.svelte";
import "./styles/app.css";

// A newer page was built while this one was open: its parts have other names now.
const RELOADED = "sandtable.reloaded";
window.addEventListener("vite:preloadError", (event) => {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < 10_000) return; // once is enough; then the error is shown
  sessionStorage.setItem(RELOADED, String(Date.now()));
  event.preventDefault();
  location.reload();
});

const target = document.getElementById("app");
if (target) mount(App, { target });
