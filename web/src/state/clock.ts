/** Time that is left, as a clock shows it: days only where there are some. */
export function clockOf(seconds: number): string {
  const left = Math.max(0, Math.round(seconds));
  const days = Math.floor(left / 86_400);
  const two = (number: number): string => String(number).padStart(2, "0");
  const text = `${Math.floor((left % 86_400) / 3600)}:${two(Math.floor((left % 3600) / 60))}:${two(left % 60)}`;
  return days ? `${days} d ${text}` : text;
}
