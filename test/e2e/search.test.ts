import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import { openAppWindow } from './app-window.ts';
import { copySyncedDemo } from './synced-demo.ts';
import { createWindowDriver } from './window-driver.ts';

test('an offline search indexes what an interrupted sync left unindexed', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-e2e-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  copySyncedDemo(home);
  const cache = openStore(join(home, 'sites', 'demo', 'cache.db'), 'cache');
  cache.exec(`
    DELETE FROM webhook_fts;
    INSERT OR IGNORE INTO webhook_unindexed SELECT id FROM webhook;
  `);
  closeStore(cache);

  await openAppWindow({ home, demo: false }, async ({ page }) => {
    const window = createWindowDriver(page);
    await window.go('Webhooks');
    await page.keyboard.press('Control+F');
    await page.keyboard.type('execution expired');
    await expect.poll(() => window.count('Webhooks')).toSatisfy((found) => found > 0 && found < 100);
    await expect.poll(() => page.getByText('still being indexed').count()).toBe(0);
  });
});
