/** The app in a browser: a host on loopback, and the browser opened on it. */
export type { BrowserSurroundings } from './browser.ts';
export { type OpenOptions, openInBrowser } from './open.ts';
export { serveWeb, type WebHost, type WebOptions } from './server.ts';
