import { describe, expect, test } from 'vitest';
import { readNumbers } from '../../../src/renderer/archive/hold-dialog.tsx';
import {
  filterOf,
  ordersOf,
  planOf,
  usualPath,
  wrongDay,
  wrongWith,
} from '../../../src/renderer/archive/orders.ts';

const place = { parent: '/', folders: [], files: [], bag: false, more: 0, free_bytes: null };

describe('what is exported', () => {
  test('is chosen in the dialog: closed statements, of some days', () => {
    const orders = { ...ordersOf(null), state: 'unpaid' as const, from: ' 2026-10-01 ', until: '' };
    expect(filterOf(orders)).toEqual({ state: ['unpaid'], since: '2026-10-01' });
    expect(filterOf(ordersOf(null))).toEqual({ state: ['unpaid', 'paid'] });
  });

  test('comes from the list of statements: its filter, or those picked', () => {
    const filter = { search: 'ada' };
    expect(filterOf(ordersOf({ filter }))).toBe(filter);
    expect(planOf(ordersOf({ ids: [3, 1] }), '/x')).toMatchObject({ selection: { ids: [3, 1] } });
    expect(filterOf(ordersOf({ ids: [3, 1] }))).toBeNull();
  });

  test.each([
    ['', null],
    ['2026-02-28', null],
    ['2026-02-29', 'A day as 2026-10-31.'],
    ['28.2.2026', 'A day as 2026-10-31.'],
  ])('a day typed as %j', (day, wrong) => {
    expect(wrongDay(day)).toBe(wrong);
    expect(wrongWith({ ...ordersOf(null), from: day }, '/x')).toBe(wrong);
  });

  test('needs a place; the usual one is among the documents, written as the system writes it', () => {
    expect(wrongWith(ordersOf(null), ' ')).toBe('Choose where it goes.');
    expect(usualPath(undefined, 'folder', '2026-11-21')).toBe('');
    expect(usualPath({ ...place, path: '/home/ada' }, 'folder', '2026-11-21')).toBe(
      '/home/ada/statements-2026-11-21',
    );
    expect(usualPath({ ...place, path: 'C:\\Users\\ada' }, 'zip', '2026-11-21')).toBe(
      'C:\\Users\\ada\\statements-2026-11-21.zip',
    );
  });

  test('replaces a ZIP file only as a ZIP file', () => {
    const orders = { ...ordersOf(null), replace: true };
    expect(planOf(orders, '/x').replace).toBe(false);
    expect(planOf({ ...orders, kind: 'zip' }, '/x.zip')).toMatchObject({
      replace: true,
      target: { kind: 'zip' },
    });
    expect(planOf(orders, '/x')).not.toHaveProperty('template');
  });
});

test('numbers are read as people list them, each once, with the first word that is none', () => {
  expect(readNumbers('3, 1;2\n 3')).toEqual({ numbers: [3, 1, 2], stray: null });
  expect(readNumbers('3 x1 y').stray).toBe('x1');
  expect(readNumbers(' ')).toEqual({ numbers: [], stray: null });
});
