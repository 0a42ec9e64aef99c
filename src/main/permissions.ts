import type { Session } from 'electron';
import { isOwnUrl, SCHEME } from './own.ts';

/** The only permission of the page: writing to the clipboard. */
const ALLOWED: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

type Guarded = Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
> & { readonly webRequest: Pick<Session['webRequest'], 'onBeforeRequest'> };

/** Handles both permission checks and permission requests, because Chromium makes both. Devices are always denied. */
export function installPermissions(session: Guarded): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(ALLOWED.has(permission) && details.isMainFrame && isOwnUrl(details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => {
    return ALLOWED.has(permission) && isOwnUrl(origin.endsWith('/') ? origin : `${origin}/`);
  });
  session.setDevicePermissionHandler(() => false);
  // The page needs no network. Requests that the content security policy misses are canceled here.
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isLocal(details.url) }));
}

function isLocal(url: string): boolean {
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' };
  return [`${SCHEME}:`, 'data:', 'blob:', 'devtools:'].includes(protocol);
}
