/** Which window lies over the screen. Going back in the browser closes it, as it would close a page. */

export type Window =
  | "rulebook" | "preferences" | "units" | "load" | "log" | "changes" | "news" | "charts" | "variants" | "help" | "surrender" | "calculator" | "plan" | "war" | "diplomacy";

const marked = (): boolean => Boolean((globalThis.history?.state as { window?: boolean } | null)?.window);

class Overlay {
  window = $state<Window | null>(null);
  rule = $state<string | null>(null);
  /** The country that the window is about, where it was opened from one. */
  power = $state<string | null>(null);

  open(window: Window): void {
    if (this.window === null && !marked()) globalThis.history?.pushState({ window: true }, "");
    this.window = window;
  }

  openRule(rule: string): void {
    this.rule = rule;
    this.open("rulebook");
  }

  close(): void {
    if (this.window === null) return;
    this.forget();
    // Whoever goes elsewhere from the window takes its place in the history; otherwise it is taken out.
    setTimeout(() => {
      if (this.window === null && marked()) history.back();
    });
  }

  /** A window about one country. */
  openPower(window: Window, power: string): void {
    this.power = power;
    this.open(window);
  }

  /** The window is gone, and its place in the history, too. */
  forget(): void {
    this.window = null;
    this.rule = null;
    this.power = null;
  }
}

export const overlay = new Overlay();

globalThis.window?.addEventListener("popstate", () => overlay.forget());
