import { expect, test } from 'vitest';
import { getGridKeyAction } from '../../../src/renderer/keyboard/grid-keys.ts';

const press = (key: string, ...modifiers: ('shift' | 'ctrl' | 'meta' | 'alt')[]) => ({
  key,
  shiftKey: modifiers.includes('shift'),
  ctrlKey: modifiers.includes('ctrl'),
  metaKey: modifiers.includes('meta'),
  altKey: modifiers.includes('alt'),
});

test.each([
  [press('ArrowDown'), { kind: 'move', by: 1, extend: false }],
  [press('j'), { kind: 'move', by: 1, extend: false }],
  [press('k'), { kind: 'move', by: -1, extend: false }],
  [press('ArrowUp', 'shift'), { kind: 'move', by: -1, extend: true }],
  [press('PageDown'), { kind: 'page', by: 1, extend: false }],
  [press('Home', 'ctrl'), { kind: 'edge', end: false, extend: false }],
  [press('End', 'shift'), { kind: 'edge', end: true, extend: true }],
  [press('ArrowLeft'), { kind: 'column', by: -1 }],
  [press(' '), { kind: 'toggle' }],
  [press('x'), { kind: 'toggle' }],
  [press('Enter'), { kind: 'open' }],
  [press('Escape'), { kind: 'escape' }],
  [press('a', 'ctrl'), { kind: 'selectAll' }],
  [press('c', 'meta'), { kind: 'copy' }],
  [press('F10', 'shift'), { kind: 'menu' }],
])('handles the key press %o', (key, action) => expect(getGridKeyAction(key)).toEqual(action));

test.each([[press('f', 'ctrl')], [press('r')], [press('F10')], [press('a', 'alt')], [press('Tab')]])(
  'ignores the key press %o',
  (key) => expect(getGridKeyAction(key)).toBeNull(),
);
