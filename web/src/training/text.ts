/** Texts of lessons: paragraphs with an empty line between them, in which *words* are stressed. */

export interface Piece {
  text: string;
  stress: boolean;
}

export function paragraphs(text: string): Piece[][] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .replace(/\s*\n\s*/g, " ")
        .split(/\*([^*]+)\*/)
        .map((part, i) => ({ text: part, stress: i % 2 === 1 }))
        .filter((piece) => piece.text),
    );
}
