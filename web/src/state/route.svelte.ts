/** Which screen is shown, as the address says. */

export type Route =
  | { screen: "menu" }
  | { screen: "new" }
  | { screen: "load" }
  | { screen: "rules"; rule: string | null }
  | { screen: "game"; game: string };

export function parseRoute(path: string): Route {
  const [first, second] = path.split("/").filter(Boolean).map(decodeURIComponent);
  switch (first) {
    case "new":
      return { screen: "new" };
    case "load":
      return { screen: "load" };
    case "rules":
      return { screen: "rules", rule: second ?? null };
    case "game":
      return second ? { screen: "game", game: second } : { screen: "load" };
    default:
      return { screen: "menu" };
  }
}

export const route: { now: Route } = $state({ now: parseRoute(globalThis.location?.pathname ?? "/") });

export function go(path: string): void {
  history.pushState(null, "", path);
  route.now = parseRoute(path);
  window.scrollTo(0, 0);
}

globalThis.window?.addEventListener("popstate", () => {
  route.now = parseRoute(location.pathname);
});
