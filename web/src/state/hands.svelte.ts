/** Whether the screen is touched rather than pointed at: then texts say what fingers do. */
const touched = globalThis.matchMedia?.("(hover: none) and (pointer: coarse)");
let fingers = $state(touched?.matches ?? false);
touched?.addEventListener?.("change", () => (fingers = touched.matches));

export const hands = {
  get fingers(): boolean {
    return fingers;
  },
};
