/**
 * Message from the main process to `npm start`. `connected`: a page has connected to the backend. `failed`: the app
 * showed a startup error or printed failed checks, and ends. If the app ends without a message, the launcher opens the
 * browser instead.
 */
export type LauncherMessage = 'connected' | 'failed';
