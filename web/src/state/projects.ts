/** Research tracks in the order in which they are looked at: the furthest first, then what could be begun. */
import type { Projects } from "../api/types";

type Project = Projects["projects"][number];

export function sorted(projects: readonly Project[]): { running: Project[]; others: Project[] } {
  const running = projects.filter((each) => each.place > 0 || each.rolled).sort((a, b) => b.place - a.place);
  return { running, others: projects.filter((each) => !running.includes(each)) };
}
