/** A button that is about a space shows it on the map while the pointer is on it, and no longer than there is a button. */
export function pointing(session: { hovered: string | null }, space: string | null | undefined): (node: HTMLElement) => () => void {
  return (node) => {
    let within = false;
    const enter = (): void => {
      if (!space) return;
      within = true;
      session.hovered = space;
    };
    const leave = (): void => {
      if (within) session.hovered = null;
      within = false;
    };
    node.addEventListener("pointerenter", enter);
    node.addEventListener("pointerleave", leave);
    return () => {
      leave();
      node.removeEventListener("pointerenter", enter);
      node.removeEventListener("pointerleave", leave);
    };
  };
}
