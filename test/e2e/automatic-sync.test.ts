import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

/** Offline is a normal state: stored data stays, and an automatic sync starts when the service responds again. */
test('syncs automatically when the service is available again', async () => {
  const sandbox = await startSandbox({ subscriptions: 10, months: 2 });
  onTestFinished(() => sandbox.close());
  await openAppWindow({ demo: false }, async ({ app: { host }, page, pageErrors }) => {
    const { go: clickButton, button } = createWindowDriver(page);
    const expectText = (text: string) => page.getByText(text).waitFor();
    await host.client.sites.add({
      title: 'Acme',
      site: 'acme',
      base_url: sandbox.url,
      api_key: sandbox.apiKey,
    });
    await page.reload();
    await clickButton('Sync');
    await expectText('All records from the service are stored.');
    await expectText('Choose “Sync now” to start it.');

    // Every connection is dropped.
    sandbox.setFaults({ cut_rate: 1 });
    // The radio button itself is invisible. People click its label.
    await page.getByText('When the service is available again', { exact: true }).click();
    await button('Sync now').click();
    await expectText('The service does not respond. All data from the last sync is available.');
    await expectText('It starts automatically when the service responds.');
    expect(await findAccessibilityProblems(page)).toEqual([]);

    sandbox.setFaults({});
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expectText('All records from the service are stored.');
    const runs = await host.client.sync.runs({ site: 'acme' });
    expect(runs.map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
    expect(pageErrors).toEqual([]);
  });
});
