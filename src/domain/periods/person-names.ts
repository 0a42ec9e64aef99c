/** Returns true if two spellings are the name of the same person. */
export const isSamePersonName = (one: string, other: string): boolean =>
  normalizePersonName(one) === normalizePersonName(other);

function normalizePersonName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .toSorted()
    .join(' ');
}
