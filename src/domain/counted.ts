/** A count with its noun, for a sentence: `1 line`, `1204 lines`, `2 matches`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
