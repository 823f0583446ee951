/** Orders between powers, which have a window of their own. */
export const DIPLOMATIC: ReadonlySet<string> = new Set(["ally", "break", "declare"]);
