import type { Event, WebContents } from 'electron';
import { isOwnUrl } from './own.ts';

/** The page stays what it is: it goes nowhere else, opens no window and embeds no view. */
export function installNavigation(
  contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>,
  openLink: (url: string) => void,
): void {
  const stay = (details: Event<{ url: string }>) => {
    if (!isOwnUrl(details.url)) details.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-frame-navigate', (details) => {
    // The one frame the page has shows a statement's HTML, which is part of the page's own text.
    if (!details.isMainFrame && details.url === 'about:srcdoc') return;
    stay(details);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url);
    return { action: 'deny' };
  });
}
