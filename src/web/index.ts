/** The app in a browser: a host on loopback, and the browser opened on it. */
export { openBrowser } from './browser.ts';
export { serveWeb, type WebHost, type WebOptions } from './server.ts';
