import { expect, test } from 'vitest';
import { openAppWindow } from './app-window.ts';
import { matchDemoFiles } from './backend-actions.ts';
import { createWindowDriver } from './window-driver.ts';

test('the demo contains matches to decide, of every kind', async () => {
  await openAppWindow({}, async ({ page, app }) => {
    const { client } = app.host;
    const site = 'demo';
    await createWindowDriver(page)
      .freshness(/^Synced/)
      .waitFor();
    await matchDemoFiles(client, app.host.home);
    const { rows } = await client.match.list({ site, limit: 200 });
    const open = rows.filter(({ status }) => status !== 'confirmed');
    expect(rows.length - open.length).toBeGreaterThan(60);
    expect(open).toHaveLength(13);
    const objections = open.map(({ reasons }) => reasons.filter(({ against }) => against));
    expect(objections).not.toContainEqual([]);
    expect(new Set(open.map(({ status, rule }) => `${status} ${rule}`))).toEqual(
      new Set([
        'suggested amount-date',
        'suggested id-in-text',
        'suggested payee',
        'suggested sum',
        'ambiguous id-in-text',
        'ambiguous payee',
        'ambiguous amount-date',
      ]),
    );
    expect(new Set(objections.flat().map(({ text }) => text)).size).toBeGreaterThan(6);
  });
});
