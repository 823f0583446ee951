/** A few sounds, made here with the Web Audio API: dice, a stamp, a bugle. Nothing is loaded. */
import { preferences } from "./preferences.svelte";

let context: AudioContext | null = null;

function ready(): { audio: AudioContext; out: GainNode } | null {
  if (preferences.sound <= 0 || typeof AudioContext === "undefined") return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  const out = context.createGain();
  out.gain.value = (preferences.sound / 100) ** 2;
  out.connect(context.destination);
  return { audio: context, out };
}

function knock(audio: AudioContext, out: AudioNode, at: number, pitch: number): void {
  const length = Math.floor(audio.sampleRate * 0.05);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / length);
  const noise = audio.createBufferSource();
  noise.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  noise.connect(filter).connect(out);
  noise.start(at);
}

export function diceSound(dice: number): void {
  const found = ready();
  if (!found) return;
  for (let i = 0; i < Math.min(dice, 8) + 2; i++) {
    knock(found.audio, found.out, found.audio.currentTime + i * 0.06 + Math.random() * 0.03, 1400 + Math.random() * 1200);
  }
}

export function stampSound(): void {
  const found = ready();
  if (found) knock(found.audio, found.out, found.audio.currentTime, 320);
}

export function bugleSound(): void {
  const found = ready();
  if (!found) return;
  [392, 523, 659].forEach((pitch, i) => {
    const tone = found.audio.createOscillator();
    const shape = found.audio.createGain();
    const at = found.audio.currentTime + i * 0.14;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    shape.gain.setValueAtTime(0, at);
    shape.gain.linearRampToValueAtTime(0.5, at + 0.02);
    shape.gain.exponentialRampToValueAtTime(0.001, at + 0.3);
    tone.connect(shape).connect(found.out);
    tone.start(at);
    tone.stop(at + 0.32);
  });
}
