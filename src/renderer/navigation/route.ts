/** Names of the screens. The route is stored in the URL fragment, so that reload, back, and forward work. */
export const screenNames = [
  'overview',
  'exceptions',
  'rules',
  'webhooks',
  'outages',
  'replays',
  'statements',
  'subscriptions',
  'allocations',
  'bank',
  'matching',
  'periods',
  'archive',
  'audit',
  'backups',
  'sync',
  'sites',
  'settings',
] as const;
export type ScreenName = (typeof screenNames)[number];

export interface Route {
  readonly site: string | null;
  readonly screen: ScreenName;
  /** Item that is open next to the list, for example `17`, or `5-9` for a subscription component. */
  readonly item: string | null;
}

/** Formats a route as a URL fragment, for example `#/acme/webhooks/17`. */
export function formatRoute(route: Route): string {
  const parts = [route.site ?? '-', route.screen, ...(route.item ? [route.item] : [])];
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

/** Parses a route from a URL fragment. An unknown screen name becomes the overview. */
export function parseRoute(hash: string): Route {
  const [site, screen, item] = hash.replace(/^#\/?/, '').split('/').map(decodePart);
  return {
    site: site && /^[a-z0-9][a-z0-9-]{0,39}$/.test(site) ? site : null,
    screen: screenNames.find((known) => known === screen) ?? 'overview',
    item: item || null,
  };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
