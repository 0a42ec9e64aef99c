import type { Event, WebContents } from 'electron';
import { isOwnUrl } from './own.ts';

/** Prevents the page from navigating elsewhere, opening windows and embedding views. */
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
    // The page's only frame shows a statement's HTML, which is part of the page itself.
    if (!details.isMainFrame && details.url === 'about:srcdoc') return;
    stay(details);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url);
    return { action: 'deny' };
  });
}
