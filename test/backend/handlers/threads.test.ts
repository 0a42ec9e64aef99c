import { expect, it } from 'vitest';
import { writeSite } from '../../../src/backend/sites/site-file.ts';
import { startHost } from '../../../src/host/index.ts';
import { createTemporaryFolder } from '../../host/test-host.ts';

it('runs as the shipped threads, which end when asked to close', async () => {
  const home = createTemporaryFolder();
  writeSite(home, {
    site: 'acme',
    title: 'Acme',
    base_url: 'https://acme.example.com',
    format: 'json',
    currency: 'USD',
    service_details: null,
    demo: false,
    created_at: '2026-01-01T00:00:00.000Z',
  });
  const host = await startHost({ home, version: '1.2.3' });
  try {
    expect(await host.client.app.about({})).toMatchObject({ version: '1.2.3', home: host.home });
    expect(await host.client.webhooks.list({ site: 'acme' })).toEqual({
      rows: [],
      next: null,
      total: { count: 0, exact: true },
    });
    expect(await host.client.settings.set({ key: 'theme', value: 'dark' })).toEqual({ theme: 'dark' });
    expect(await host.client.settings.all({})).toEqual({ theme: 'dark' });
  } finally {
    await host.close();
  }
});
