/** Formats numbers as ranges, for example `1-4, 7`. */
export function formatNumberRanges(numbers: Iterable<number>): string {
  const parts: [number, number][] = [];
  for (const number of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
