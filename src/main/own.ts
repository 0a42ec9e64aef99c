/** The page's own place. A custom scheme, since a page from `file:` would share its origin with every file. */
export const SCHEME = 'app';
export const ORIGIN = `${SCHEME}://tieout`;
export const START = `${ORIGIN}/`;

/**
 * Whether this is an address of the app's own page. The text must begin with exactly our origin and a slash, which is how Chromium
 * writes it: nothing that only resembles it, contains it, or needs to be interpreted first.
 */
export function isOwnUrl(url: string): boolean {
  return url.startsWith(START) && URL.canParse(url);
}
