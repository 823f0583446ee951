/** Who is at this browser, as far as the server wants to know. On a server for one machine nobody is known, and all of it is empty. */
import { call } from "../api/client";
import type { Person, ServerInfo } from "../api/types";

class Who {
  server = $state.raw<ServerInfo | null>(null);
  readonly me = $derived<Person | null>(this.server?.me ?? null);
  /** The server has to know who asks, and does not. */
  readonly needed = $derived(this.server?.people === true && this.me === null);

  async load(): Promise<void> {
    try {
      this.server = await call("get", "/api/server");
    } catch {
      // a server that does not answer is told about elsewhere
    }
  }

  async beGuest(name: string, link: string | null): Promise<void> {
    await call("post", "/api/people/guest", { body: { name, link } });
    await this.load();
  }

  async signIn(name: string, password: string): Promise<void> {
    await call("post", "/api/people/sign-in", { body: { name, password } });
    await this.load();
  }

  async makeAccount(name: string, password: string): Promise<void> {
    await call("post", "/api/people/account", { body: { name, password } });
    await this.load();
  }

  async signOut(): Promise<void> {
    await call("post", "/api/people/sign-out");
    await this.load();
  }
}

export const who = new Who();
