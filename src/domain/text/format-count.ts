/** Formats a count with its noun, for example `1 line`, `1204 lines` or `2 matches`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
