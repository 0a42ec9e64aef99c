/** What is sought in documents, and how exactly it must be met. */
export interface Sought {
  readonly text: string;
  readonly match_case?: boolean | undefined;
  readonly whole_word?: boolean | undefined;
}

/**
 * The pattern of what is sought, for `decomposed` text: as the viewer's own find, blanks of any kind and length are alike, and letters
 * are met with or without their accents. Null where there is no letter and no digit in it.
 */
export function patternOf({ text, match_case = false, whole_word = false }: Sought): RegExp | null {
  const plain = decomposed(text).replace(/\p{M}/gu, '').trim();
  if (!/[\p{L}\p{N}]/u.test(plain)) return null;
  const body = [...plain]
    .map((sign) => (/\s/.test(sign) ? ' ' : `${escaped(sign)}\\p{M}*`))
    .join('')
    .replace(/ +/g, '\\s+');
  const whole = whole_word ? `(?<![\\p{L}\\p{N}_])${body}(?![\\p{L}\\p{N}_])` : body;
  return new RegExp(whole, match_case ? 'gu' : 'giu');
}

/** Text with its accents taken apart, as patterns want it. */
export function decomposed(text: string): string {
  return text.normalize('NFD');
}

function escaped(sign: string): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(sign) ? `\\${sign}` : sign;
}
