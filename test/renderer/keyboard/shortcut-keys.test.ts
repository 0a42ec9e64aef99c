import { describe, expect, test } from 'vitest';
import {
  getShortcutOfEvent,
  keyCapLabels,
  matchShortcut,
} from '../../../src/renderer/keyboard/shortcut-keys.ts';

const press = (
  key: string,
  modifiers: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...modifiers,
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
  ])('the key press %o is parsed as %s', (event, text) => expect(getShortcutOfEvent(event)).toBe(text));

  test('matches two keys pressed in sequence', () => {
    const known = new Set(['G W', 'R', 'Mod+K']);
    expect(matchShortcut('G', null, known)).toEqual({ firstKey: 'G' });
    expect(matchShortcut('W', 'G', known)).toEqual({ shortcut: 'G W' });
    expect(matchShortcut('R', null, known)).toEqual({ shortcut: 'R' });
    // A second key that completes no sequence is matched on its own.
    expect(matchShortcut('R', 'G', known)).toEqual({ shortcut: 'R' });
    expect(matchShortcut('Z', 'G', known)).toBeNull();
    expect(matchShortcut('Z', null, known)).toBeNull();
  });

  test('are formatted as key caps', () => {
    expect(keyCapLabels('Shift+R')).toEqual(['Shift', 'R']);
    expect(keyCapLabels('G W')).toEqual(['G', 'W']);
    expect(keyCapLabels('Mod+K').at(-1)).toBe('K');
  });
});
