import { describe, expect, test } from 'vitest';
import type { Client, Site } from '../../../src/contract/index.ts';
import { allCommands } from '../../../src/renderer/app/all-commands.ts';
import { type CommandContext, commandsForScreen } from '../../../src/renderer/commands/command.ts';
import { gridActionOfKey } from '../../../src/renderer/keyboard/grid-keys.ts';
import { screenNames } from '../../../src/renderer/navigation/route.ts';

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
    unavailableReason: null,
    runningSyncJob: null,
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
  test('ids are unique and titles are not empty', () => {
    expect(new Set(allCommands.map(({ id }) => id)).size).toBe(allCommands.length);
    for (const { title } of allCommands) expect(title).not.toBe('');
  });

  test.each(screenNames)('no two commands share a shortcut on %s', (screen) => {
    const keys = commandsForScreen(allCommands, screen).flatMap((command) => command.keys ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    // A key that stands alone would never begin one of two.
    for (const pair of keys.filter((key) => key.includes(' ')))
      expect(keys).not.toContain(pair.split(' ')[0]);
  });

  test('no shortcut conflicts with the keys of lists', () => {
    const letters = allCommands.flatMap((command) => command.keys ?? []).filter((key) => /^[A-Z]$/.test(key));
    for (const key of letters) {
      const press = {
        key: key.toLowerCase(),
        shiftKey: false,
        ctrlKey: false,
        metaKey: false,
        altKey: false,
      };
      expect(gridActionOfKey(press)).toBeNull();
    }
  });

  test('a disabled command gives its reason as a sentence', () => {
    for (const more of [
      {},
      { site: null, away: 'No site is connected yet.' },
      { away: 'Offline.', syncing: 'j-1' },
    ]) {
      for (const command of allCommands) {
        const enabled = command.enabled(context(more));
        if (enabled !== true) expect(enabled, command.id).toMatch(/^[A-Z].*\.$/);
      }
    }
  });

  test('commands that need the service are disabled while it is unreachable, except sync', () => {
    const away = context({ unavailableReason: 'Offline.' });
    const enabled = (id: string) => allCommands.find((command) => command.id === id)?.enabled(away);
    expect(enabled('allocations.track')).toBe('Offline.');
    expect(enabled('sync.start')).toBe(true);
  });

  test('a second sync cannot be started', () => {
    const syncing = context({ runningSyncJob: 'j-1' });
    for (const command of allCommands.filter(({ id }) => id.startsWith('sync.') && id !== 'sync.cancel')) {
      expect(command.enabled(syncing)).not.toBe(true);
    }
    expect(allCommands.find(({ id }) => id === 'sync.cancel')?.enabled(syncing)).toBe(true);
  });
});
