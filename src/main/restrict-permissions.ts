import type { Session } from 'electron';
import { APP_SCHEME_NAME, isAppUrl } from './app-origin.ts';

/** Permissions granted to the page: only writing to the clipboard. */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

type RestrictableSession = Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler' | 'on'
> & { readonly webRequest: Pick<Session['webRequest'], 'onBeforeRequest'> };

/** Handles permission checks and permission requests, because Chromium makes both. Always denies devices. */
export function restrictPermissions(session: RestrictableSession): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(ALLOWED_PERMISSIONS.has(permission) && details.isMainFrame && isAppUrl(details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => {
    return ALLOWED_PERMISSIONS.has(permission) && isAppUrl(origin.endsWith('/') ? origin : `${origin}/`);
  });
  session.setDevicePermissionHandler(() => false);
  // The page saves files through its window shell, which asks for the location, so other downloads are prevented.
  session.on('will-download', (event) => event.preventDefault());
  // The page needs no network. Cancels requests that the content security policy does not cover.
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isLocal(details.url) }));
}

function isLocal(url: string): boolean {
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' };
  return [`${APP_SCHEME_NAME}:`, 'data:', 'blob:', 'devtools:'].includes(protocol);
}
