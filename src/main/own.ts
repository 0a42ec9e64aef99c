/** The page's origin. A custom scheme, because a page from `file:` would share its origin with every file. */
export const SCHEME = 'app';
export const ORIGIN = `${SCHEME}://tieout`;
export const START = `${ORIGIN}/`;

/**
 * Returns true for an address of the app's own page. The text must start with exactly our origin and a slash, as Chromium
 * writes it. Nothing that only resembles or contains it, or needs normalization, is accepted.
 */
export function isOwnUrl(url: string): boolean {
  return url.startsWith(START) && URL.canParse(url);
}
