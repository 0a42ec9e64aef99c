import { describe, expect, test } from 'vitest';
import { keyOf, keyParts, readKey } from '../../../src/renderer/commands/keys.ts';

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

describe('shortcuts', () => {
  test.each([
    [press('k', { ctrlKey: true }), 'Mod+K'],
    [press('k', { metaKey: true }), 'Mod+K'],
    [press('R', { shiftKey: true }), 'Shift+R'],
    [press('r'), 'R'],
    [press('?', { shiftKey: true }), '?'],
    [press('ArrowDown', { shiftKey: true }), 'Shift+ArrowDown'],
    [press(' '), 'Space'],
    [press('Escape'), 'Escape'],
    [press('Shift', { shiftKey: true }), null],
    [press('x', { altKey: true }), null],
  ])('%o is %s', (event, text) => expect(keyOf(event)).toBe(text));

  test('two keys, one after the other', () => {
    const known = new Set(['G W', 'R', 'Mod+K']);
    expect(readKey('G', null, known)).toEqual({ begun: 'G' });
    expect(readKey('W', 'G', known)).toEqual({ shortcut: 'G W' });
    expect(readKey('R', null, known)).toEqual({ shortcut: 'R' });
    // A second key that leads nowhere counts on its own.
    expect(readKey('R', 'G', known)).toEqual({ shortcut: 'R' });
    expect(readKey('Z', 'G', known)).toBeNull();
    expect(readKey('Z', null, known)).toBeNull();
  });

  test('as caps', () => {
    expect(keyParts('Shift+R')).toEqual(['Shift', 'R']);
    expect(keyParts('G W')).toEqual(['G', 'W']);
    expect(keyParts('Mod+K').at(-1)).toBe('K');
  });
});
