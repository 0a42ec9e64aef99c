import { describe, expect, test } from 'vitest';
import { findShortcut, getKeyCapLabels, toShortcut } from '../../../src/renderer/keyboard/shortcut-keys.ts';

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
    [press('k', { metaKey: true }), null],
    [press('R', { shiftKey: true }), 'Shift+R'],
    [press('r'), 'R'],
    [press('?', { shiftKey: true }), '?'],
    [press('ArrowDown', { shiftKey: true }), 'Shift+ArrowDown'],
    [press(' '), 'Space'],
    [press('Escape'), 'Escape'],
    [press('Shift', { shiftKey: true }), null],
    [press('x', { altKey: true }), null],
  ])('the key press %o is parsed as %s', (event, text) => expect(toShortcut(event)).toBe(text));

  test('on a Mac, Ctrl with a letter edits text and is no shortcut', () => {
    const isMac = true;
    expect(toShortcut(press('k', { metaKey: true }), isMac)).toBe('Mod+K');
    for (const key of ['a', 'f', 'k']) expect(toShortcut(press(key, { ctrlKey: true }), isMac)).toBeNull();
    expect(toShortcut(press('r'), isMac)).toBe('R');
  });

  test('matches two keys pressed in sequence', () => {
    const known = new Set(['G W', 'R', 'Mod+K']);
    expect(findShortcut('G', null, known)).toEqual({ firstKey: 'G' });
    expect(findShortcut('W', 'G', known)).toEqual({ shortcut: 'G W' });
    expect(findShortcut('R', null, known)).toEqual({ shortcut: 'R' });
    // A second key that completes no sequence is matched on its own.
    expect(findShortcut('R', 'G', known)).toEqual({ shortcut: 'R' });
    expect(findShortcut('Z', 'G', known)).toBeNull();
    expect(findShortcut('Z', null, known)).toBeNull();
  });

  test('are formatted as key caps', () => {
    expect(getKeyCapLabels('Shift+R')).toEqual(['Shift', 'R']);
    expect(getKeyCapLabels('G W')).toEqual(['G', 'W']);
    expect(getKeyCapLabels('Mod+K').at(-1)).toBe('K');
  });
});
