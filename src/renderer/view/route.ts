/** Where the user is: kept in the address's fragment, so that reload, back and forward work. */
export const screens = [
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
export type Screen = (typeof screens)[number];

export interface Route {
  /** Null until a site is chosen or the first one is known. */
  readonly site: string | null;
  readonly screen: Screen;
  /** What is open beside the list: `17`, or `5-9` for a pair. */
  readonly item: string | null;
}

/** `#/acme/webhooks/17` */
export function routeText(route: Route): string {
  const parts = [route.site ?? '-', route.screen, ...(route.item ? [route.item] : [])];
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

/** Reads an address; what cannot be read leads to the first screen. */
export function readRoute(hash: string): Route {
  const [site, screen, item] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  return {
    site: site && /^[a-z0-9][a-z0-9-]{0,39}$/.test(site) ? site : null,
    screen: screens.find((known) => known === screen) ?? 'overview',
    item: item || null,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
