/** The project's own silhouettes and emblems, taken over from the Python package when the page is built. */

const units = import.meta.glob<string>("../../../src/sandtable/maps/icons/units/*.svg", {
  query: "?raw",
  import: "default",
  eager: true,
});
const emblems = import.meta.glob<string>("../../../src/sandtable/maps/icons/emblems/*.svg", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** What stands between the svg tags. These are files of this project, so they may be put into the page as they are. */
function shapes(text: string): string {
  return text.slice(text.indexOf(">") + 1, text.lastIndexOf("</svg>")).trim();
}

function table(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path.slice(path.lastIndexOf("/") + 1, -4), shapes(text)]),
  );
}

export const unitIcons = table(units);
export const emblemIcons = table(emblems);

/** The picture of a kind of unit, or of units that an order names with their marks. */
export const unitIcon = (word: string): string => {
  const id = word.split("[", 1)[0]!;
  return id in unitIcons ? id : "infantry";
};
export const emblemIcon = (id: string): string => (id in emblemIcons ? id : "generic");
