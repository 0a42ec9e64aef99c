/** Scheme of links to a view of the app, for example `tieout://open/demo/statements/12`. */
export const LINK_SCHEME = 'tieout';

const LINK_START = `${LINK_SCHEME}://open/`;

/** Maximum length of a link. The app creates no longer links. */
const MAX_LENGTH = 2_000;

/** Returns the path of the first link among the arguments, for example `/demo/statements/12`, or null. */
export function findAppLink(argv: readonly string[]): string | null {
  const link = argv.find((argument) => argument.startsWith(LINK_START) && argument.length <= MAX_LENGTH);
  return link && URL.canParse(link) ? link.slice(LINK_START.length - 1) : null;
}
