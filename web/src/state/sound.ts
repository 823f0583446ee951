/** Sounds and music, all made here with the Web Audio API. Nothing is loaded, and nothing sounds before a first click. */
import type { Change } from "../api/types";
import { preferences } from "./preferences.svelte";
import type { Index } from "./table";

let context: AudioContext | null = null;

function audio(): AudioContext | null {
  if (typeof AudioContext === "undefined" || !navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/** Loudness is heard by its square. */
const loudness = (percent: number): number => (percent / 100) ** 2;

function effects(): { sound: AudioContext; out: GainNode } | null {
  const sound = preferences.sound > 0 ? audio() : null;
  if (!sound) return null;
  const out = sound.createGain();
  out.gain.value = loudness(preferences.sound);
  out.connect(sound.destination);
  return { sound, out };
}

interface Noise {
  at: number;
  length: number;
  pitch: number;
  end?: number;
  gain?: number;
  attack?: number;
  type?: BiquadFilterType;
}

/** A burst of noise through a filter: a die on wood, a shot, a wave, an engine. */
function noise(sound: AudioContext, out: AudioNode, { at, length, pitch, end = pitch, gain = 1, attack = 0.002, type = "bandpass" }: Noise): void {
  const size = Math.max(1, Math.floor(sound.sampleRate * length));
  const buffer = sound.createBuffer(1, size, sound.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < size; i++) data[i] = Math.random() * 2 - 1;
  const source = sound.createBufferSource();
  source.buffer = buffer;
  const filter = sound.createBiquadFilter();
  filter.type = type;
  filter.frequency.setValueAtTime(pitch, at);
  filter.frequency.exponentialRampToValueAtTime(Math.max(20, end), at + length);
  const shape = sound.createGain();
  shape.gain.setValueAtTime(0.0001, at);
  shape.gain.linearRampToValueAtTime(gain, at + attack);
  shape.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(filter).connect(shape).connect(out);
  source.start(at);
}

function tone(sound: AudioContext, out: AudioNode, at: number, pitch: number, length: number, gain: number, type: OscillatorType): void {
  const source = sound.createOscillator();
  const shape = sound.createGain();
  source.type = type;
  source.frequency.value = pitch;
  shape.gain.setValueAtTime(0.0001, at);
  shape.gain.linearRampToValueAtTime(gain, at + Math.min(0.04, length / 3));
  shape.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(shape).connect(out);
  source.start(at);
  source.stop(at + length + 0.02);
}

export function diceSound(dice: number): void {
  const found = effects();
  if (!found) return;
  for (let i = 0; i < Math.min(dice, 8) + 2; i++) {
    const at = found.sound.currentTime + i * 0.06 + Math.random() * 0.03;
    noise(found.sound, found.out, { at, length: 0.05, pitch: 1400 + Math.random() * 1200 });
  }
}

function shots(hits: number): void {
  const found = effects();
  if (!found) return;
  const from = found.sound.currentTime + 0.35;
  for (let i = 0; i < 3; i++) {
    noise(found.sound, found.out, { at: from + i * 0.11, length: 0.16, pitch: 900, end: 160, gain: 0.5, type: "lowpass" });
  }
  for (let i = 0; i < Math.min(hits, 3); i++) {
    noise(found.sound, found.out, { at: from + 0.3 + i * 0.16, length: 0.7, pitch: 420, end: 50, gain: 0.9, type: "lowpass" });
  }
}

/** What units sound like on their way: boots, tracks, engines, waves. */
function march(domain: string): void {
  const found = effects();
  if (!found) return;
  const { sound, out } = found;
  const now = sound.currentTime;
  if (domain === "air") {
    noise(sound, out, { at: now, length: 0.7, pitch: 180, end: 420, gain: 0.5, attack: 0.2 });
  } else if (domain === "sea") {
    noise(sound, out, { at: now, length: 0.8, pitch: 700, end: 260, gain: 0.35, attack: 0.3 });
  } else {
    for (let i = 0; i < 4; i++) noise(sound, out, { at: now + i * 0.13, length: 0.07, pitch: i % 2 ? 260 : 340, gain: 0.6 });
  }
}

export function stampSound(): void {
  const found = effects();
  if (found) noise(found.sound, found.out, { at: found.sound.currentTime, length: 0.06, pitch: 320 });
}

function fanfare(pitches: number[], gain: number): void {
  const found = effects();
  if (!found) return;
  pitches.forEach((pitch, i) => tone(found.sound, found.out, found.sound.currentTime + i * 0.14, pitch, 0.32, gain, "triangle"));
}

/** It is a person's turn. */
export function turnSound(): void {
  fanfare([392, 523, 659], 0.5);
}

/** What a change sounds like; the loudest thing in it is what is heard. */
export function changeSounds(change: Change, index: Index): void {
  const rolled = change.events.filter((event) => event.kind === "rolled");
  const moved = change.events.find((event) => ["moved", "boarded", "landed"].includes(event.kind));
  if (change.events.some((event) => event.kind === "won")) fanfare([392, 523, 659, 784, 659, 784, 1047], 0.6);
  else if (rolled.length) {
    diceSound(rolled.reduce((sum, event) => sum + (event.faces?.length ?? 0), 0));
    if (rolled.some((event) => event.shooters?.length)) shots(rolled.reduce((sum, event) => sum + (event.hits ?? 0), 0));
  } else if (change.events.some((event) => event.kind === "technology")) fanfare([523, 784], 0.4);
  else if (moved) march(index.units.get(moved.units?.[0]?.unit ?? "")?.domain ?? "land");
  else if (change.by === "human" && change.type === "order") stampSound();
}

// ------------------------------------------------------------ music

/** A slow march in a minor key: drum, low brass, a line over it. Sixteen bars, then from the beginning. */
const BASS = [110, 110, 98, 98, 87.3, 87.3, 82.4, 82.4, 110, 110, 130.8, 130.8, 146.8, 87.3, 82.4, 110];
const LINE: (number[] | null)[] = [
  [220, 261.6], [329.6], [293.7, 246.9], null, [261.6, 220], [174.6], [207.7], null,
  [220, 329.6], [440], [392, 329.6], [261.6], [293.7, 349.2], [261.6], [246.9, 207.7], [220],
];
const BAR = 2.4;

let player: { out: GainNode; timer: ReturnType<typeof setInterval>; next: number; bar: number } | null = null;

/** Play, change or end the music as the preferences say. It begins with the first click, as browsers demand. */
export function keepMusic(): void {
  const wanted = loudness(preferences.music) * 0.5;
  if (player) {
    player.out.gain.setTargetAtTime(wanted, player.out.context.currentTime, 0.1);
    if (wanted === 0) {
      clearInterval(player.timer);
      player = null;
    }
    return;
  }
  const sound = wanted > 0 ? audio() : null;
  if (!sound) return;
  const out = sound.createGain();
  out.gain.value = wanted;
  out.connect(sound.destination);
  const timer = setInterval(() => compose(sound), 400);
  player = { out, timer, next: sound.currentTime + 0.1, bar: 0 };
}

function compose(sound: AudioContext): void {
  if (!player) return;
  while (player.next < sound.currentTime + 1.5) {
    const { out, next: at } = player;
    const bar = player.bar % BASS.length;
    const bass = BASS[bar]!;
    for (const part of [1, 1.5, 2]) tone(sound, out, at, bass * part, BAR * 1.05, part === 1 ? 0.3 : 0.09, "triangle");
    for (const beat of [0, 0.5, 0.75]) {
      noise(sound, out, { at: at + beat * BAR, length: 0.18, pitch: 130, end: 60, gain: beat ? 0.25 : 0.5, type: "lowpass" });
    }
    const line = LINE[bar];
    line?.forEach((pitch, i) => tone(sound, out, at + (i * BAR) / line.length, pitch, BAR / line.length + 0.3, 0.12, "sine"));
    player.next += BAR;
    player.bar += 1;
  }
}
