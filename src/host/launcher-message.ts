/**
 * Message from the main process to `npm start`: a page has connected to the backend, or the app showed a startup error or
 * printed failed checks, and ends. The launcher opens the browser instead if the app ends without either.
 */
export type LauncherMessage = 'connected' | 'failed';
