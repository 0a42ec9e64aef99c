/** Custom scheme of the page's origin. With `file:`, the page would share its origin with every other file. */
export const APP_SCHEME_NAME = 'app';
export const APP_ORIGIN = `${APP_SCHEME_NAME}://tieout`;
export const APP_START_URL = `${APP_ORIGIN}/`;

/**
 * Returns true for an address of the app's own page. The text must start with exactly the app's origin and a slash, as
 * Chromium formats it. Addresses that would need normalization are not accepted.
 */
export function isAppUrl(url: string): boolean {
  return url.startsWith(APP_START_URL) && URL.canParse(url);
}
