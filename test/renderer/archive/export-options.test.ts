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

const folder = { parent: '/', folders: [], files: [], bag: false, more: 0, free_bytes: null };

describe('export options', () => {
  test('select closed statements by state and date', () => {
    const options = {
      ...createExportOptions(null),
      state: 'unpaid' as const,
      from: ' 2026-10-01 ',
      until: '',
    };
    expect(toStatementFilter(options)).toEqual({ state: ['unpaid'], since: '2026-10-01' });
    expect(toStatementFilter(createExportOptions(null))).toEqual({ state: ['unpaid', 'paid'] });
  });

  test('use the filter or the selected ids of the statement list', () => {
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
    ['2026-02-29', 'Enter the date as YYYY-MM-DD.'],
    ['28.2.2026', 'Enter the date as YYYY-MM-DD.'],
  ])('validate the day %j', (day, error) => {
    expect(validateDay(day)).toBe(error);
    expect(validateExportOptions({ ...createExportOptions(null), from: day }, '/x')).toBe(error);
  });

  test('require a destination, by default in the documents folder', () => {
    expect(validateExportOptions(createExportOptions(null), ' ')).toBe('Choose a destination.');
    expect(defaultExportPath(undefined, 'folder', '2026-11-21')).toBe('');
    expect(defaultExportPath({ ...folder, path: '/home/ada' }, 'folder', '2026-11-21')).toBe(
      '/home/ada/statements-2026-11-21',
    );
    expect(defaultExportPath({ ...folder, path: 'C:\\Users\\ada' }, 'zip', '2026-11-21')).toBe(
      'C:\\Users\\ada\\statements-2026-11-21.zip',
    );
  });

  test('replace an existing file only for ZIP exports', () => {
    const options = { ...createExportOptions(null), replace: true };
    expect(toExportPlanInput(options, '/x').replace).toBe(false);
    expect(toExportPlanInput({ ...options, kind: 'zip' }, '/x.zip')).toMatchObject({
      replace: true,
      target: { kind: 'zip' },
    });
    expect(toExportPlanInput(options, '/x')).not.toHaveProperty('template');
  });
});

test('parses distinct ids and reports the first word that is not an id', () => {
  expect(parseNumbers('3, 1;2\n 3')).toEqual({ numbers: [3, 1, 2], stray: null });
  expect(parseNumbers('3 x1 y').stray).toBe('x1');
  expect(parseNumbers(' ')).toEqual({ numbers: [], stray: null });
});
