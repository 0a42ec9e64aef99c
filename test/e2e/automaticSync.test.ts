import { expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { barriers } from './barriers.ts';
import { inWindow } from './running.ts';
import { windowOf } from './window.ts';

const KEY = 'sandbox-key';
const serve = (port = 0): Promise<Sandbox> =>
  startSandbox({ subscriptions: 10, months: 2, apiKey: KEY, port });

/** Offline is a normal state: what is held stays, and a service that is back is asked by itself, where that is wanted. */
test('a service that was away is synced by itself when it is back', async () => {
  const sandbox = await serve();
  await inWindow({ demo: false }, async ({ app: { host }, page, complaints }) => {
    const { go, button } = windowOf(page);
    const shows = (text: string) => page.getByText(text).waitFor();
    await host.client.sites.add({ title: 'Acme', site: 'acme', base_url: sandbox.url, api_key: KEY });
    await page.reload();
    await go('Sync');
    await shows('Everything the service has is held here.');
    await shows('Begins when you press Sync now.');

    await sandbox.close();
    // The radio itself is unseen; its label is what one presses.
    await page.getByText('When the service is back', { exact: true }).click();
    await button('Sync now').click();
    await shows('The service does not answer now. Everything it had at the last sync is held here.');
    await shows('Begins by itself as soon as the service answers.');
    expect(await barriers(page)).toEqual([]);

    const back = await serve(Number(new URL(sandbox.url).port));
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await shows('Everything the service has is held here.');
    const runs = await host.client.sync.runs({ site: 'acme' });
    expect(runs.map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
    expect(complaints).toEqual([]);
    await back.close();
  });
}, 60_000);
