import type { App, Event } from 'electron';

/** Opens a `tieout://` link or the path of a file. */
type OpenArgument = (argument: string) => void;

/**
 * Receives the links and files that macOS passes to the app. The first ones may arrive before `ready`. Returns a
 * function to call with the action once a window can be opened; the action then also runs for earlier requests.
 */
export function receiveOpenRequests(app: Pick<App, 'on'>): (open: OpenArgument) => void {
  const { promise, resolve } = Promise.withResolvers<OpenArgument>();
  const receive = (event: Pick<Event, 'preventDefault'>, argument: string) => {
    event.preventDefault();
    void promise.then((open) => open(argument));
  };
  app.on('open-url', receive);
  app.on('open-file', receive);
  return resolve;
}
