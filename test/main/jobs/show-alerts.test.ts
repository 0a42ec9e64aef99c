import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { BackendClient, ChangeEvent } from '../../../src/contract/index.ts';
import { showAlerts } from '../../../src/main/jobs/show-alerts.ts';
import { Notification, recorded, resetElectron } from '../../doubles/electron.ts';

beforeEach(() => {
  resetElectron();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Starts the observation of two sites. `add` makes an alert due, and `emit` reports a change. */
async function start() {
  const due: { site: string; id: number }[] = [];
  const results: object[] = [];
  const state = { isRestarting: false };
  let emit: (change: ChangeEvent) => void = () => undefined;
  async function* watch() {
    for (;;) yield await new Promise<ChangeEvent>((resolve) => (emit = resolve));
  }
  const client = {
    sites: { list: async () => [{ site: 'harbor' }, { site: 'mill' }] },
    changes: { watch: async () => watch() },
    alerts: {
      async takeDesktop({ site, after }: { site: string; after: number }) {
        if (state.isRestarting) throw new Error('disconnected');
        const alert = due.find((each) => each.site === site && each.id > after);
        if (alert === undefined) return null;
        due.splice(due.indexOf(alert), 1);
        const { id } = alert;
        return { id, attempt: 1, title: `Title ${id}`, text: `Text ${id}` };
      },
      saveDesktopResult: async (result: object) => void results.push(result),
    },
  } as unknown as BackendClient;
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  let windows = 0;
  void showAlerts({
    client: Promise.resolve(client),
    signal: stop.signal,
    showWindow: () => {
      windows += 1;
    },
  });
  await vi.advanceTimersByTimeAsync(0);
  const add = (site: string, id: number) => due.push({ site, id });
  return {
    add,
    results,
    state,
    stop,
    emit: (change: ChangeEvent) => emit(change),
    countWindows: () => windows,
  };
}

const titles = () => recorded.notifications.map(({ options }) => options.title);

test('shows the alerts of all sites after a change and once per minute, until the app ends', async () => {
  const app = await start();
  app.add('mill', 4);
  app.emit({ site: 'mill', topics: ['alerts'] });
  await vi.advanceTimersByTimeAsync(0);
  expect(titles()).toEqual(['Title 4']);
  expect(app.results).toEqual([{ site: 'mill', alert: 4, attempt: 1, error: null }]);
  // Quiet hours end without an event, while a thread is restarting.
  app.state.isRestarting = true;
  app.add('harbor', 8);
  app.add('harbor', 9);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(titles()).toEqual(['Title 4']);
  app.state.isRestarting = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(titles()).toEqual(['Title 4', 'Title 8', 'Title 9']);
  recorded.notifications[1]?.emit('click');
  expect(app.countWindows()).toBe(1);
  app.stop.abort();
  app.add('harbor', 10);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(titles()).toHaveLength(3);
});

test('a notification that the system refuses is saved as failed, and one without a report as shown', async () => {
  const app = await start();
  const show = vi.spyOn(Notification.prototype, 'show');
  show.mockImplementationOnce(function (this: Notification) {
    this.emit('failed', {}, 'Notifications are turned off');
  });
  show.mockImplementationOnce(() => undefined);
  app.add('mill', 1);
  app.add('mill', 2);
  app.emit({ site: 'mill', topics: ['alerts'] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(app.results).toEqual([
    { site: 'mill', alert: 1, attempt: 1, error: 'Notifications are turned off' },
    { site: 'mill', alert: 2, attempt: 1, error: null },
  ]);
});
