import type { Session } from 'electron';
import { isOwnUrl, SCHEME } from './own.ts';

/** Copying to the clipboard is all the page may ask for. */
const ALLOWED: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

type Guarded = Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
> & { readonly webRequest: Pick<Session['webRequest'], 'onBeforeRequest'> };

/** Both questions are answered: Chromium asks whether it may ask (check) and then asks (request). Devices are never given. */
export function installPermissions(session: Guarded): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(ALLOWED.has(permission) && details.isMainFrame && isOwnUrl(details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => {
    return ALLOWED.has(permission) && isOwnUrl(origin.endsWith('/') ? origin : `${origin}/`);
  });
  session.setDevicePermissionHandler(() => false);
  // The page needs nothing of any network; what slips past its policy ends here.
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isLocal(details.url) }));
}

function isLocal(url: string): boolean {
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' };
  return [`${SCHEME}:`, 'data:', 'blob:', 'devtools:'].includes(protocol);
}
