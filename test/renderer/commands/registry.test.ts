import { describe, expect, test } from 'vitest';
import type { Client, Site } from '../../../src/contract/index.ts';
import { commands } from '../../../src/renderer/commands/all.ts';
import { type CommandContext, commandsOn } from '../../../src/renderer/commands/command.ts';
import { gridAction } from '../../../src/renderer/grid/keys.ts';
import { screens } from '../../../src/renderer/view/route.ts';

const site: Site = {
  site: 'acme',
  title: 'Acme',
  base_url: 'https://acme.example.com',
  format: 'json',
  currency: 'USD',
  demo: false,
  has_key: true,
  key_hint: null,
  created_at: '2026-01-01T00:00:00Z',
  last_synced_at: null,
};

function context(more: Partial<CommandContext>): CommandContext {
  return {
    client: {} as Client,
    route: { site: 'acme', screen: 'webhooks', item: null },
    site,
    sites: [site],
    away: null,
    syncing: null,
    filters: {
      exceptions: {},
      webhooks: {},
      statements: {},
      subscriptions: {},
      allocations: {},
      bank: {},
      matching: {},
    },
    grid: null,
    ...more,
  };
}

describe('commands', () => {
  test('each has a name of its own and words', () => {
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
    for (const { title } of commands) expect(title).not.toBe('');
  });

  test.each(screens)('no two share a key on %s', (screen) => {
    const keys = commandsOn(commands, screen).flatMap((command) => command.keys ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    // A key that stands alone would never begin one of two.
    for (const pair of keys.filter((key) => key.includes(' ')))
      expect(keys).not.toContain(pair.split(' ')[0]);
  });

  test('none takes a key that lists have for moving and picking', () => {
    const letters = commands.flatMap((command) => command.keys ?? []).filter((key) => /^[A-Z]$/.test(key));
    for (const key of letters) {
      const press = {
        key: key.toLowerCase(),
        shiftKey: false,
        ctrlKey: false,
        metaKey: false,
        altKey: false,
      };
      expect(gridAction(press)).toBeNull();
    }
  });

  test('one that cannot run says why in a sentence', () => {
    for (const more of [
      {},
      { site: null, away: 'No site is connected yet.' },
      { away: 'Offline.', syncing: 'j-1' },
    ]) {
      for (const command of commands) {
        const enabled = command.enabled(context(more));
        if (enabled !== true) expect(enabled, command.id).toMatch(/^[A-Z].*\.$/);
      }
    }
  });

  test('what sends to the service is refused while it is away; syncing may be tried', () => {
    const away = context({ away: 'Offline.' });
    const enabled = (id: string) => commands.find((command) => command.id === id)?.enabled(away);
    expect(enabled('allocations.track')).toBe('Offline.');
    expect(enabled('sync.start')).toBe(true);
  });

  test('one sync at a time', () => {
    const syncing = context({ syncing: 'j-1' });
    for (const command of commands.filter(({ id }) => id.startsWith('sync.') && id !== 'sync.cancel')) {
      expect(command.enabled(syncing)).not.toBe(true);
    }
    expect(commands.find(({ id }) => id === 'sync.cancel')?.enabled(syncing)).toBe(true);
  });
});
