import type { Event, WebContents } from 'electron';
import { isAppUrl } from './app-origin.ts';

/** Prevents the page from navigating away from the app, opening windows and embedding web views. */
export function restrictNavigation(
  contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>,
  actions: { openLink(url: string): void; returnToStart(): void },
): void {
  const preventLeavingApp = (details: Event<{ url: string }>) => {
    if (!isAppUrl(details.url)) details.preventDefault();
  };
  contents.on('will-navigate', preventLeavingApp);
  contents.on('will-redirect', preventLeavingApp);
  contents.on('will-frame-navigate', preventLeavingApp);
  // Some navigations cannot be prevented, for example to `about:blank`, so the window returns to the start page.
  contents.on('did-navigate', (_event, url) => {
    if (!isAppUrl(url)) actions.returnToStart();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    actions.openLink(url);
    return { action: 'deny' };
  });
}
