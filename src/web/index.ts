/** Runs the app in a browser: starts a host on a loopback port and opens the browser. */
export type { BrowserEnvironment } from './open-browser.ts';
export { type OpenInBrowserOptions, openInBrowser } from './open-in-browser.ts';
export { serveWeb, type WebHost, type WebOptions } from './web-server.ts';
