import type { Event, WebContents } from 'electron';
import { isAppUrl } from './app-origin.ts';

/** Prevents the page from navigating away from the app, opening windows and embedding web views. */
export function restrictNavigation(
  contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>,
  openLink: (url: string) => void,
): void {
  const preventLeavingApp = (details: Event<{ url: string }>) => {
    if (!isAppUrl(details.url)) details.preventDefault();
  };
  contents.on('will-navigate', preventLeavingApp);
  contents.on('will-redirect', preventLeavingApp);
  contents.on('will-frame-navigate', (details) => {
    // The page's only frame shows the HTML of a statement, which is part of the page itself.
    if (!details.isMainFrame && details.url === 'about:srcdoc') return;
    preventLeavingApp(details);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url);
    return { action: 'deny' };
  });
}
