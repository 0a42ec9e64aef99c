/** Runs the app in a browser: starts a host on a loopback port and opens the browser. */
export type { BrowserEnvironment } from './open-browser.ts';
export { type OpenInBrowserOptions, openInBrowser, waitUntilUnused } from './open-in-browser.ts';
export { type BrowserHostOptions, serveWeb, type WebServer } from './web-server.ts';
