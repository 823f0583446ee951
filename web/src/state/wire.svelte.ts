/** The live connection of a game: what comes over it, how it stands, and what the server says of the computers. */
import { Live, type Status } from "../api/live";
import type { Change, LiveMessage, Thinking, Trouble } from "../api/types";

/** Who listens. */
export interface Listener {
  change(change: Change): void;
  /** What was missed cannot be told any more: the whole state has to be read. */
  reset(): void;
  /** The server is there, for the first time or again. */
  back(): void;
  deleted(): void;
}

export class Wire {
  status = $state<Status>("connecting");
  thinking = $state.raw<Thinking | null>(null);
  trouble = $state.raw<Trouble | null>(null);

  private socket: Live | null = null;

  constructor(private readonly listener: Listener) {}

  start(game: string, version: number): void {
    this.socket = new Live(game, version, {
      change: (change) => this.listener.change(change),
      message: (message) => this.hear(message),
      reset: () => this.listener.reset(),
      status: (status) => this.stands(status),
    });
    this.socket.start();
  }

  /** Nothing up to this number need be told again. */
  seen(version: number): void {
    this.socket?.seen(version);
  }

  stop(): void {
    this.socket?.stop();
  }

  private stands(status: Status): void {
    this.status = status;
    if (status === "open") this.listener.back();
  }

  hear(message: Exclude<LiveMessage, Change>): void {
    switch (message.type) {
      case "hello":
        this.thinking = message.thinking ?? null;
        this.trouble = message.trouble ?? null;
        break;
      case "thinking":
        this.thinking = message.active ? message : null;
        if (message.active) this.trouble = null;
        break;
      case "trouble":
        this.trouble = message;
        break;
      case "deleted":
        this.listener.deleted();
        break;
      default:
    }
  }
}
