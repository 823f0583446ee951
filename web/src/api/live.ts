/**
 * The live connection of a game: numbered changes in order, each once, across lost connections.
 *
 * The server counts everything that is done in a game. `number` is the last change that was seen; on a new connection
 * the server is asked for whatever came after it. A number that was seen is dropped; one that leaves a gap means
 * that something is lost, and the game has to be read anew.
 */
import type { Change, LiveMessage } from "./types";

export type Status = "connecting" | "open" | "lost" | "closed";

export interface Listener {
  change(change: Change): void;
  message(message: Exclude<LiveMessage, Change>): void;
  /** What is known is not enough any more: read the whole state. */
  reset(): void;
  status(status: Status): void;
}

export interface Socket {
  close(): void;
  onopen: (() => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8_000;
const ENDED = new Set([4400, 4404]); // the server says that trying again is of no use
const PATIENCE = 2.5; // heartbeats that may be missing

/** Milliseconds before try number `attempt`, doubled each time, a little random so that pages do not come all at once. */
export function backOff(attempt: number, random: number = Math.random()): number {
  return Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT) * (0.75 + random / 2);
}

export function liveAddress(game: string, since: number, place: { protocol: string; host: string }): string {
  const scheme = place.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${place.host}/api/games/${encodeURIComponent(game)}/live?since=${since}`;
}

export class Live {
  private socket: Socket | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private silence = 0;
  private stopped = false;

  constructor(
    private readonly game: string,
    private number: number,
    private readonly listener: Listener,
    private readonly make: (url: string) => Socket = (url) => new WebSocket(url) as unknown as Socket,
    private readonly place: { protocol: string; host: string } = location,
  ) {}

  start(): void {
    this.stopped = false;
    this.connect();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.watchdog);
    this.socket?.close();
    this.socket = null;
    this.listener.status("closed");
  }

  /** The page has the change from elsewhere (the answer to an order), or has read the state at this number. */
  seen(number: number): void {
    this.number = Math.max(this.number, number);
  }

  private connect(): void {
    this.listener.status("connecting");
    const socket = this.make(liveAddress(this.game, this.number, this.place));
    this.socket = socket;
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.take(JSON.parse(String(event.data)) as LiveMessage);
      this.alive();
    };
    socket.onclose = (event) => {
      if (socket !== this.socket || this.stopped) return;
      clearTimeout(this.watchdog);
      this.socket = null;
      if (ENDED.has(event.code)) {
        this.listener.status("closed");
        return;
      }
      this.listener.status("lost");
      this.timer = setTimeout(() => this.connect(), backOff(this.attempt++));
    };
  }

  private alive(): void {
    clearTimeout(this.watchdog);
    if (this.silence > 0) this.watchdog = setTimeout(() => this.socket?.close(), this.silence);
  }

  private take(message: LiveMessage): void {
    switch (message.type) {
      case "hello":
        this.attempt = 0;
        this.silence = message.heartbeat * 1000 * PATIENCE;
        this.listener.status("open");
        this.listener.message(message);
        break;
      case "reset":
        this.number = message.number;
        this.listener.reset();
        break;
      case "order":
      case "undo":
      case "drop":
      case "redo":
      case "rewind":
      case "seat":
        if (message.number <= this.number) break;
        if (message.number > this.number + 1) {
          this.number = message.number;
          this.listener.reset();
          break;
        }
        this.number = message.number;
        this.listener.change(message);
        break;
      default:
        this.listener.message(message);
    }
  }
}
