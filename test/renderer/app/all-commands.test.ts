import { describe, expect, test } from 'vitest';
import type { BackendClient, Site } from '../../../src/contract/index.ts';
import { allCommands } from '../../../src/renderer/app/all-commands.ts';
import { listCommandGroups } from '../../../src/renderer/command-palette/palette-entries.ts';
import { type CommandContext, getScreenCommands } from '../../../src/renderer/commands/command.ts';
import { registerCommands } from '../../../src/renderer/commands/command-registry.ts';
import { getGridKeyAction } from '../../../src/renderer/keyboard/grid-keys.ts';
import { screenNames } from '../../../src/renderer/navigation/route.ts';

const site: Site = {
  site: 'acme',
  title: 'Acme',
  base_url: 'https://acme.example.com',
  format: 'json',
  currency: 'USD',
  service_details: null,
  demo: false,
  has_key: true,
  key_hint: null,
  is_session_key: false,
  created_at: '2026-01-01T00:00:00Z',
  time_zone: null,
  last_synced_at: null,
};

function context(more: Partial<CommandContext>): CommandContext {
  return {
    client: {} as BackendClient,
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
      payments: {},
      payouts: {},
      manualLines: {},
      manualPayments: {},
      audit: {},
    },
    grid: null,
    ...more,
  };
}

describe('application commands', () => {
  test('have unique ids and non-empty titles', () => {
    expect(new Set(allCommands.map(({ id }) => id)).size).toBe(allCommands.length);
    for (const { title } of allCommands) expect(title).not.toBe('');
  });

  test.each(screenNames)('have distinct shortcuts on %s', (screen) => {
    const keys = getScreenCommands(allCommands, screen).flatMap((command) => command.keys ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    // A single-key shortcut would prevent every two-key shortcut that starts with the same key.
    for (const pair of keys.filter((key) => key.includes(' ')))
      expect(keys).not.toContain(pair.split(' ')[0]);
  });

  test.each(screenNames)('are all listed in the palette on %s', (screen) => {
    registerCommands(allCommands);
    const groups = listCommandGroups(context({ route: { site: 'acme', screen, item: null } }), 'abc');
    const listed = groups.flatMap(([, entries]) => entries.map(({ id }) => id));
    const expected = getScreenCommands(allCommands, screen).map(({ id }) => id);
    expect(listed.sort()).toEqual(expected.filter((id) => id !== 'help.palette').sort());
  });

  test('have no shortcut that conflicts with the keys of a list', () => {
    const letters = allCommands.flatMap((command) => command.keys ?? []).filter((key) => /^[A-Z]$/.test(key));
    for (const key of letters) {
      const press = {
        key: key.toLowerCase(),
        shiftKey: false,
        ctrlKey: false,
        metaKey: false,
        altKey: false,
      };
      expect(getGridKeyAction(press)).toBeNull();
    }
  });

  test('explain in a sentence why they are disabled', () => {
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

  test('are disabled while the service they need is unreachable, except sync', () => {
    const away = context({ unavailableReason: 'Offline.' });
    const enabled = (id: string) => allCommands.find((command) => command.id === id)?.enabled(away);
    expect(enabled('allocations.track')).toBe('Offline.');
    expect(enabled('sync.start')).toBe(true);
  });

  test('do not start a second sync while one is running', () => {
    const syncing = context({ runningSyncJob: 'j-1' });
    for (const command of allCommands.filter(({ id }) => id.startsWith('sync.') && id !== 'sync.cancel')) {
      expect(command.enabled(syncing)).not.toBe(true);
    }
    expect(allCommands.find(({ id }) => id === 'sync.cancel')?.enabled(syncing)).toBe(true);
  });
});
