/** Which screen is shown, as the address says. */

export type Route =
  | { screen: "menu" }
  | { screen: "new" }
  | { screen: "load" }
  | { screen: "multiplayer" }
  | { screen: "table"; table: string }
  | { screen: "join"; link: string }
  | { screen: "recover"; secret: string }
  | { screen: "rules"; rule: string | null }
  | { screen: "training"; strategy: boolean }
  | { screen: "calculator"; query: string }
  | { screen: "analysis"; game: string }
  /** `at` is a place in the game at which the time machine is opened; `film` plays on from there. */
  | { screen: "game"; game: string; at: number | null; film: boolean };

export function parseRoute(path: string): Route {
  const [place = "", query = ""] = path.split("?", 2);
  const [first, second, third] = place.split("/").filter(Boolean).map(decodeURIComponent);
  switch (first) {
    case "new":
      return { screen: "new" };
    case "multiplayer":
      return { screen: "multiplayer" };
    case "table":
      return second ? { screen: "table", table: second } : { screen: "multiplayer" };
    case "recover":
      return { screen: "recover", secret: second ?? "" };
    case "join":
    case "watch":
      return second ? { screen: "join", link: second } : { screen: "multiplayer" };
    case "load":
      return { screen: "load" };
    case "rules":
      return { screen: "rules", rule: second ?? null };
    case "training":
      return { screen: "training", strategy: second === "strategy" };
    case "calculator":
      return { screen: "calculator", query };
    case "game":
      if (second && third === "analysis") return { screen: "analysis", game: second };
      return second
        ? { screen: "game", game: second, at: /(?:^|&)at=\d+/.test(query) ? Number(new URLSearchParams(query).get("at")) : null, film: new URLSearchParams(query).has("film") }
        : { screen: "load" };
    default:
      return { screen: "menu" };
  }
}

const here = (): string => (globalThis.location ? `${location.pathname}${location.search}` : "/");

export const route: { now: Route } = $state({ now: parseRoute(here()) });

export function go(path: string): void {
  if ((history.state as { window?: boolean } | null)?.window) history.replaceState(null, "", path); // from a window over the screen
  else history.pushState(null, "", path);
  route.now = parseRoute(path);
  window.scrollTo(0, 0);
}

globalThis.window?.addEventListener("popstate", () => {
  route.now = parseRoute(here());
});
