/** Maximum size of one path part in bytes: half the limit of the strictest common file system. */
export const MAX_PATH_PART_BYTES = 120;

/** Maximum length of a file name extension that is preserved, with its dot. */
const MAX_EXTENSION_LENGTH = 16;

/**
 * Returns a file name that is valid on every operating system, from a name that a person or another program chose. Drops
 * folders, and keeps the extension of a long name.
 */
export function toSafeFileName(name: string): string {
  const base = name.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? '';
  const extension = /\.[A-Za-z0-9]+$/.exec(base)?.[0] ?? '';
  if (extension.length > MAX_EXTENSION_LENGTH || extension === base) return toSafePathPart(base, 'file');
  const stem = base.slice(0, base.length - extension.length);
  return toSafePathPart(stem, 'file', MAX_PATH_PART_BYTES - extension.length) + extension;
}

/** Returns true if a file name is valid on every operating system. True for every name of `toSafeFileName`. */
export const isSafeFileName = (name: string): boolean => toSafePathPart(name, 'file') === name;

/** Device names reserved by Windows, with or without an extension. */
const RESERVED_WINDOWS_NAME = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(\.|$)/i;

/** Returns a path part that is valid on every operating system, readable and at most `maxBytes` long. */
export function toSafePathPart(text: string, fallback: string, maxBytes = MAX_PATH_PART_BYTES): string {
  const clean = toSafePathText(text).replace(/^[\s.~\p{M}-]+/u, '');
  const allowed = RESERVED_WINDOWS_NAME.test(clean) ? `_${clean}` : clean;
  const short = truncateToBytes(allowed, maxBytes).replace(/[\s.]+$/, '');
  return short === '' || short === '_' ? fallback : short;
}

/** Matches combining marks after the fourth on a letter. No script needs more, and they would cover adjacent lines. */
const STACKED_ACCENTS = /(\p{M}{4})\p{M}+/gu;

/** Normalizes a text to NFC, removes invisible characters and replaces characters special in file names. */
export function toSafePathText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[<>:"/\\|?*%\u2044\u2215\u29F8\uFE68\uFF0F\uFF3C]/gu, '-')
    .replace(/[\s\u2800]/gu, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/ +/g, ' ')
    .replace(STACKED_ACCENTS, '$1')
    .normalize('NFC');
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const bytes = new TextEncoder();

/** Truncates a text to at most `maxBytes` without splitting a visible character. */
function truncateToBytes(text: string, maxBytes: number): string {
  if (bytes.encode(text).length <= maxBytes) return text;
  let truncated = '';
  let length = 0;
  for (const { segment } of graphemes.segment(text)) {
    length += bytes.encode(segment).length;
    if (length > maxBytes) break;
    truncated += segment;
  }
  return truncated;
}
