import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { barriers } from './barriers.ts';
import { inWindow } from './running.ts';
import { windowOf } from './window.ts';

/** Offline is a normal state: what is held stays, and a service that is back is asked by itself, where that is wanted. */
test('a service that was away is synced by itself when it is back', async () => {
  const sandbox = await startSandbox({ subscriptions: 10, months: 2 });
  onTestFinished(() => sandbox.close());
  await inWindow({ demo: false }, async ({ app: { host }, page, complaints }) => {
    const { go, button } = windowOf(page);
    const shows = (text: string) => page.getByText(text).waitFor();
    await host.client.sites.add({
      title: 'Acme',
      site: 'acme',
      base_url: sandbox.url,
      api_key: sandbox.apiKey,
    });
    await page.reload();
    await go('Sync');
    await shows('Everything the service has is held here.');
    await shows('Begins when you press Sync now.');

    // Nobody is there: every connection is cut.
    sandbox.setFaults({ cut_rate: 1 });
    // The radio itself is unseen; its label is what one presses.
    await page.getByText('When the service is back', { exact: true }).click();
    await button('Sync now').click();
    await shows('The service does not answer now. Everything it had at the last sync is held here.');
    await shows('Begins by itself as soon as the service answers.');
    expect(await barriers(page)).toEqual([]);

    sandbox.setFaults({});
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await shows('Everything the service has is held here.');
    const runs = await host.client.sync.runs({ site: 'acme' });
    expect(runs.map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
    expect(complaints).toEqual([]);
  });
});
