/** Which window lies over the screen. */

export type Window =
  | "rulebook" | "preferences" | "units" | "load" | "log" | "changes" | "news" | "charts" | "variants" | "help" | "surrender" | "calculator" | "plan" | "war";

class Overlay {
  window = $state<Window | null>(null);
  rule = $state<string | null>(null);

  open(window: Window): void {
    this.window = window;
  }

  openRule(rule: string): void {
    this.rule = rule;
    this.window = "rulebook";
  }

  close(): void {
    this.window = null;
    this.rule = null;
  }
}

export const overlay = new Overlay();
