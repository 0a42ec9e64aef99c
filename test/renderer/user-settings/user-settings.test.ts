import { afterAll, expect, test, vi } from 'vitest';
import type { BackendClient } from '../../../src/contract/index.ts';
import {
  changeUserSetting,
  loadUserSettings,
  parseUserSettings,
  useUserSettings,
} from '../../../src/renderer/user-settings/user-settings.ts';

test('missing user settings have default values', () => {
  expect(parseUserSettings({})).toMatchObject({
    theme: 'system',
    density: 'regular',
    views: [],
    columns: {},
  });
});

test('an invalid stored setting does not affect the others', () => {
  const chosen = parseUserSettings({
    theme: 'dark',
    density: 'huge',
    columns: { webhooks: { order: ['id'], hidden: [], widths: { id: 90 } } },
    sorts: 'broken',
    'of.another.version': 1,
  });
  expect(chosen).toMatchObject({ theme: 'dark', density: 'regular', sorts: {} });
  expect(chosen.columns['webhooks']?.widths).toEqual({ id: 90 });
});

// Applying the theme needs the root element of a page.
vi.stubGlobal('document', { documentElement: { dataset: {} } });
afterAll(() => vi.unstubAllGlobals());

/** Stored settings shared by windows. Changes are stored when `store` is called. */
function createSettingsClient() {
  const stored: Record<string, unknown> = {};
  const waiting: (() => void)[] = [];
  const settings = {
    all: () => Promise.resolve({ ...stored }),
    set: ({ key, value }: { key: string; value: unknown }) =>
      new Promise<void>((resolve) => {
        waiting.push(() => {
          stored[key] = value;
          resolve();
        });
      }),
  };
  const store = () => {
    for (const each of waiting.splice(0)) each();
  };
  return { stored, store, client: { settings } as unknown as BackendClient };
}

test('a setting that another window changed is applied, and the other settings keep their objects', async () => {
  const { stored, client } = createSettingsClient();
  Object.assign(stored, { columns: { webhooks: { order: ['id'], hidden: [], widths: {}, frozen: 1 } } });
  await loadUserSettings(client);
  const { columns } = useUserSettings.getState();
  stored['sidebar.collapsed'] = ['billing'];
  await loadUserSettings(client);
  expect(useUserSettings.getState()['sidebar.collapsed']).toEqual(['billing']);
  expect(useUserSettings.getState().columns).toBe(columns);
});

test('a change that is being stored is not replaced by an older stored value, and later ones are read', async () => {
  const { stored, store, client } = createSettingsClient();
  Object.assign(stored, { 'sidebar.collapsed': ['cash'], density: 'regular' });
  await loadUserSettings(client);
  changeUserSetting('sidebar.collapsed', ['billing']);
  await loadUserSettings(client);
  expect(useUserSettings.getState()['sidebar.collapsed']).toEqual(['billing']);
  stored['density'] = 'compact';
  store();
  await expect.poll(() => useUserSettings.getState().density).toBe('compact');
  expect(useUserSettings.getState()['sidebar.collapsed']).toEqual(['billing']);
});
