/** Paints the ground beside the page. Of several wishes that have come meanwhile, the last one counts. */
import { Painter, type Frame, type Ground, type Look } from "./ground";

export type Wish = { ground: Ground } | { number: number; look: Look; frame: Frame };

let painter: Painter | null = null;
const waiting = new Map<string, { number: number; look: Look; frame: Frame }>();

function work(): void {
  for (const [key, { number, look, frame }] of waiting) {
    waiting.delete(key);
    if (!painter) continue;
    const canvas = new OffscreenCanvas(Math.max(1, Math.round(frame.width * frame.ratio)), Math.max(1, Math.round(frame.height * frame.ratio)));
    const context = canvas.getContext("2d", { alpha: false });
    if (!context) continue;
    painter.paint(context, look, frame);
    const bitmap = canvas.transferToImageBitmap();
    postMessage({ number, bitmap }, { transfer: [bitmap] });
  }
}

addEventListener("message", ({ data }: MessageEvent<Wish>) => {
  if ("ground" in data) {
    painter = new Painter(data.ground);
    return;
  }
  if (!waiting.size) setTimeout(work);
  // one picture of the part that is looked at, one of the whole world
  waiting.set(data.number % 2 ? "world" : "part", data);
});
