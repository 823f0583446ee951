/** A table at which people meet: who is there, what the host sets up, chat, offers and clocks, kept up to date by the server. */
import { backOff } from "../api/live";
import { call } from "../api/client";
import { asProblem, type Problem } from "../api/problem";
import type { ChatMessage, TableInfo, TableMessage } from "../api/types";

const ENDED = new Set([4403, 4404]);

export class Gathering {
  table = $state.raw<TableInfo | null>(null);
  chat = $state.raw<ChatMessage[]>([]);
  notice = $state("");
  /** Messages that came while nobody looked. */
  unread = $state(0);
  problem = $state.raw<Problem | null>(null);
  /** Why one is not at the table any more. */
  ended = $state("");
  /** When the table was last told, for clocks. */
  told = $state(Date.now());

  private socket: WebSocket | null = null;
  private attempt = 0;
  private stopped = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What was asked of the server last: what follows waits, else "begin" could overtake the power given just before. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly id: string,
    private readonly onchat: (message: ChatMessage) => void = () => undefined,
  ) {}

  async open(): Promise<void> {
    try {
      await this.read();
      this.connect();
    } catch (error) {
      this.problem = asProblem(error);
    }
  }

  close(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private async read(): Promise<void> {
    const path = { table: this.id };
    const [table, said] = await Promise.all([call("get", "/api/tables/{table}", { path }), call("get", "/api/tables/{table}/chat", { path })]);
    this.take(table);
    this.chat = said.messages;
    this.notice = said.notice;
  }

  private take(table: TableInfo): void {
    if (this.table && table.revision < this.table.revision) return;
    this.table = table;
    this.told = Date.now();
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.id)}/live`);
    this.socket = socket;
    socket.onopen = () => {
      if (this.attempt > 0) void this.read().catch(() => undefined); // what was missed
      this.attempt = 0;
    };
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as TableMessage);
    socket.onclose = (event) => {
      if (this.stopped) return;
      if (ENDED.has(event.code)) {
        this.ended ||= "You are not at this table any more.";
        return;
      }
      this.timer = setTimeout(() => this.connect(), backOff(++this.attempt));
    };
  }

  private hear(message: TableMessage): void {
    if (message.type === "table") this.take(message.table);
    else if (message.type === "ejected") this.ended = message.message;
    else if (message.type === "chat" && !this.chat.some((each) => each.id === message.message.id)) {
      this.chat = [...this.chat, message.message];
      this.unread += 1;
      this.onchat(message.message);
    }
  }

  /** Do something at the table; what comes back is the table as it is then. */
  async act(work: () => Promise<TableInfo | undefined>): Promise<boolean> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    this.problem = null;
    try {
      const table = await turn;
      if (table) this.take(table);
      return true;
    } catch (error) {
      this.problem = asProblem(error);
      return false;
    }
  }

  async say(text: string, to: "all" | "allies" | "person", person: string | null): Promise<boolean> {
    this.problem = null;
    try {
      const message = await call("post", "/api/tables/{table}/chat", { path: { table: this.id }, body: { text, to, person } });
      if (!this.chat.some((each) => each.id === message.id)) this.chat = [...this.chat, message];
      return true;
    } catch (error) {
      this.problem = asProblem(error);
      return false;
    }
  }
}
