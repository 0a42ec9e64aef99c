/** Text to search for, with search options. */
export interface TextSearchQuery {
  readonly text: string;
  /** True to find each word of the text. Otherwise, the text is found only as a phrase. */
  readonly each_word?: boolean | undefined;
  readonly match_case?: boolean | undefined;
  readonly whole_word?: boolean | undefined;
}

/**
 * Creates a search pattern for text prepared by `decomposeAccents`; null if the query has no letter or digit. Like
 * the PDF viewer's own search, it ignores accents and the kind and length of white space.
 */
export function createSearchPattern({
  text,
  each_word = false,
  match_case = false,
  whole_word = false,
}: TextSearchQuery): RegExp | null {
  const plain = decomposeAccents(text).replace(/\p{M}/gu, '').trim();
  if (!/[\p{L}\p{N}]/u.test(plain)) return null;
  const phrase = [...plain]
    .map((character) => (/\s/.test(character) ? ' ' : `${escapePattern(character)}\\p{M}*`))
    .join('');
  const body = each_word ? `(?:${phrase.replace(/ +/g, '|')})` : phrase.replace(/ +/g, '\\s+');
  const pattern = whole_word ? `(?<![\\p{L}\\p{N}_])${body}(?![\\p{L}\\p{N}_])` : body;
  return new RegExp(pattern, match_case ? 'gu' : 'giu');
}

/** Separates accents from their letters (NFD), as required by search patterns. */
export const decomposeAccents = (text: string): string => text.normalize('NFD');

const escapePattern = (sign: string): string => (/[\^$\\.*+?()[\]{}|/]/.test(sign) ? `\\${sign}` : sign);
