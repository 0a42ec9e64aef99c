import { expect, test } from 'vitest';
import { parseUserSettings } from '../../../src/renderer/user-settings/user-settings.ts';

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
