/** Replaces letters that many bank files cannot contain, for example `Söhne` by `SOEHNE`. */
export function toBankLetters(name: string): string {
  const spelled = name.replace(/[äöüßøæå]/gi, (letter) => spellings[letter.toLowerCase()] ?? letter);
  return spelled
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 &+.,/()'-]/g, ' ');
}

const spellings: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  ø: 'oe',
  æ: 'ae',
  å: 'aa',
};

/** Returns the words of a name in capitals, without punctuation. */
export function foldName(name: string): string[] {
  return toBankLetters(name)
    .toUpperCase()
    .replace(/'/g, '')
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '');
}

/** Cuts a name at the width of a bank's column. Trailing spaces disappear, as in most files. */
export function cutAtWidth(name: string, width: number | null): string {
  return width === null ? name : name.slice(0, width).trimEnd();
}

/** Returns `M. Weberling` for `Max Weberling`. */
export function toInitials(name: string): string {
  const words = name.split(' ');
  return [`${(words[0] ?? '').slice(0, 1)}.`, ...words.slice(1)].join(' ');
}

/** Returns the surname with its particle. */
export function toSurname(name: string): string {
  const words = name.split(' ');
  const start = words.findIndex((word, n) => n > 0 && /^[a-z]/.test(word));
  return words.slice(start > 0 ? start : Math.max(1, words.length - 1)).join(' ');
}

/** Returns `Weberling, Max` for `Max Weberling`. */
export function toSurnameFirst(name: string): string {
  const surname = toSurname(name);
  return `${surname}, ${name.slice(0, name.length - surname.length).trim()}`;
}
