import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { BackendClient, ChangeEvent } from '../../../src/contract/index.ts';
import { showBrowserAlerts } from '../../../src/renderer/alerts/show-browser-alerts.ts';

/** Browser notifications, as far as the window uses them. */
class BrowserNotification {
  static permission = 'granted';
  static shown: string[] = [];
  static problem: string | null = null;
  constructor(title: string, { tag }: { tag: string }) {
    if (BrowserNotification.problem !== null) throw new TypeError(BrowserNotification.problem);
    BrowserNotification.shown.push(`${title} ${tag}`);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Notification', BrowserNotification);
  Object.assign(BrowserNotification, { permission: 'granted', shown: [], problem: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Opens a window on a site with these due alerts. Failed ones become due again. */
function openWindow(due: number[]) {
  const errors: (string | null)[] = [];
  const listeners = new Set<(change: ChangeEvent | 'everything') => void>();
  const alerts = {
    async takeDesktop({ after }: { after: number }) {
      const id = due.find((each) => each > after);
      if (id === undefined) return null;
      due.splice(due.indexOf(id), 1);
      return { id, attempt: 1, title: `Alert ${id}`, text: '' };
    },
    async saveDesktopResult({ alert, error }: { alert: number; error: string | null }) {
      errors.push(error);
      if (error !== null) due.push(alert);
    },
  };
  const stop = showBrowserAlerts({
    client: { alerts } as unknown as Pick<BackendClient, 'alerts'>,
    changes: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    site: 'quay',
  });
  onTestFinished(stop);
  const change = (event: ChangeEvent | 'everything') => {
    for (const listener of listeners) listener(event);
    return vi.advanceTimersByTimeAsync(0);
  };
  return { errors, stop, change };
}

test('each alert is shown, also one that appears before an earlier one has been shown', async () => {
  const due = [3];
  const { change, stop } = openWindow(due);
  due.push(5);
  await change({ site: 'quay', topics: ['alerts'] });
  expect(BrowserNotification.shown).toEqual(['Alert 3 tieout-quay-3', 'Alert 5 tieout-quay-5']);
  due.push(6);
  await change({ site: 'other', topics: ['alerts'] });
  await change({ site: 'quay', topics: ['bank'] });
  expect(due).toEqual([6]);
  await change('everything');
  expect(due).toEqual([]);
  due.push(7);
  stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(due).toEqual([7]);
});

test('alerts without permission stay due until the user grants it', async () => {
  BrowserNotification.permission = 'default';
  const due = [1, 2];
  openWindow(due);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(due).toEqual([1, 2]);
  BrowserNotification.permission = 'granted';
  await vi.advanceTimersByTimeAsync(60_000);
  expect(BrowserNotification.shown).toHaveLength(2);
});

test('a notification that the browser refuses is saved as failed and tried again', async () => {
  BrowserNotification.problem = 'Illegal constructor';
  const { errors } = openWindow([1]);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(errors).toEqual(['Illegal constructor']);
  BrowserNotification.problem = null;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(errors).toEqual(['Illegal constructor', null]);
  expect(BrowserNotification.shown).toEqual(['Alert 1 tieout-quay-1']);
});
