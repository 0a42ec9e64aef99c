import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { barriers } from './barriers.ts';
import { inWindow } from './running.ts';
import { windowOf } from './window.ts';

/** Offline is a normal state: stored data stays, and an automatic sync starts when the service responds again. */
test('syncs automatically when the service is available again', async () => {
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
    await shows('All records from the service are stored.');
    await shows('Choose Sync now to start it.');

    // Every connection is dropped.
    sandbox.setFaults({ cut_rate: 1 });
    // The radio button itself is invisible. People click its label.
    await page.getByText('When the service is available again', { exact: true }).click();
    await button('Sync now').click();
    await shows('The service does not respond. All data from the last sync is available.');
    await shows('It starts automatically when the service responds.');
    expect(await barriers(page)).toEqual([]);

    sandbox.setFaults({});
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await shows('All records from the service are stored.');
    const runs = await host.client.sync.runs({ site: 'acme' });
    expect(runs.map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
    expect(complaints).toEqual([]);
  });
});
