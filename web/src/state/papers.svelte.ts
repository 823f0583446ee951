/** What is written about a game: its log, and the newspaper after each round. */
import { call } from "../api/client";
import type { Change, LogLine, Newspaper } from "../api/types";
import { logged } from "./chronicle";

export class Papers {
  log = $state.raw<LogLine[]>([]);
  /** The front page that lies on the table. */
  news = $state.raw<Newspaper | null>(null);

  constructor(private readonly game: string) {}

  async readLog(): Promise<void> {
    this.log = (await call("get", "/api/games/{game}/log", { path: { game: this.game } })).lines;
  }

  async readNews(round: number): Promise<void> {
    this.news = await call("get", "/api/games/{game}/newspaper", { path: { game: this.game }, query: { round } });
  }

  /** A change is written down. After an order was taken out of the middle, later ones have other places: all is read anew. */
  async write(change: Change): Promise<void> {
    this.log = logged(this.log, change);
    if (change.type === "drop") await this.readLog();
  }
}
