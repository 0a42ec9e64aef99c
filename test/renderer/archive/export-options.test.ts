import { describe, expect, test } from 'vitest';
import {
  createExportOptions,
  defaultExportPath,
  toExportPlanInput,
  toStatementFilter,
  validateDay,
  validateExportOptions,
} from '../../../src/renderer/archive/export-options.ts';
import { parseNumbers } from '../../../src/renderer/archive/hold-dialog.tsx';

const place = { parent: '/', folders: [], files: [], bag: false, more: 0, free_bytes: null };

describe('what is exported', () => {
  test('is chosen in the dialog: closed statements, of some days', () => {
    const orders = {
      ...createExportOptions(null),
      state: 'unpaid' as const,
      from: ' 2026-10-01 ',
      until: '',
    };
    expect(toStatementFilter(orders)).toEqual({ state: ['unpaid'], since: '2026-10-01' });
    expect(toStatementFilter(createExportOptions(null))).toEqual({ state: ['unpaid', 'paid'] });
  });

  test('comes from the list of statements: its filter, or those picked', () => {
    const filter = { search: 'ada' };
    expect(toStatementFilter(createExportOptions({ filter }))).toBe(filter);
    expect(toExportPlanInput(createExportOptions({ ids: [3, 1] }), '/x')).toMatchObject({
      selection: { ids: [3, 1] },
    });
    expect(toStatementFilter(createExportOptions({ ids: [3, 1] }))).toBeNull();
  });

  test.each([
    ['', null],
    ['2026-02-28', null],
    ['2026-02-29', 'A day as 2026-10-31.'],
    ['28.2.2026', 'A day as 2026-10-31.'],
  ])('a day typed as %j', (day, wrong) => {
    expect(validateDay(day)).toBe(wrong);
    expect(validateExportOptions({ ...createExportOptions(null), from: day }, '/x')).toBe(wrong);
  });

  test('needs a place; the usual one is among the documents, written as the system writes it', () => {
    expect(validateExportOptions(createExportOptions(null), ' ')).toBe('Choose where it goes.');
    expect(defaultExportPath(undefined, 'folder', '2026-11-21')).toBe('');
    expect(defaultExportPath({ ...place, path: '/home/ada' }, 'folder', '2026-11-21')).toBe(
      '/home/ada/statements-2026-11-21',
    );
    expect(defaultExportPath({ ...place, path: 'C:\\Users\\ada' }, 'zip', '2026-11-21')).toBe(
      'C:\\Users\\ada\\statements-2026-11-21.zip',
    );
  });

  test('replaces a ZIP file only as a ZIP file', () => {
    const orders = { ...createExportOptions(null), replace: true };
    expect(toExportPlanInput(orders, '/x').replace).toBe(false);
    expect(toExportPlanInput({ ...orders, kind: 'zip' }, '/x.zip')).toMatchObject({
      replace: true,
      target: { kind: 'zip' },
    });
    expect(toExportPlanInput(orders, '/x')).not.toHaveProperty('template');
  });
});

test('numbers are read as people list them, each once, with the first word that is none', () => {
  expect(parseNumbers('3, 1;2\n 3')).toEqual({ numbers: [3, 1, 2], stray: null });
  expect(parseNumbers('3 x1 y').stray).toBe('x1');
  expect(parseNumbers(' ')).toEqual({ numbers: [], stray: null });
});
