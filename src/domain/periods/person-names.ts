/** Person and the public key (hex) of their signature; null if it is not signed with a key. */
export interface KeyHolder {
  readonly name: string;
  readonly key: string | null;
}

/** Returns true if two signers are the same person: by key, or by name if a key is missing or was replaced. */
export const isSamePerson = (one: KeyHolder, other: KeyHolder): boolean =>
  isSamePersonName(one.name, other.name) || (one.key !== null && one.key === other.key);

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
