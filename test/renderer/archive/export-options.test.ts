import { describe, expect, test } from 'vitest';
import {
  createExportOptions,
  defaultExportPath,
  toExportPlanInput,
  toExportStatementFilter,
  validateDayInput,
  validateExportOptions,
} from '../../../src/renderer/archive/export-options.ts';
import { parseStatementIdList } from '../../../src/renderer/archive/place-legal-hold-dialog.tsx';

const folder = { parent: '/', folders: [], files: [], bag: false, more: 0, free_bytes: null };

describe('export options', () => {
  test('select closed statements by state and date', () => {
    const options = {
      ...createExportOptions(null),
      state: 'unpaid' as const,
      from: ' 2026-10-01 ',
      until: '',
    };
    expect(toExportStatementFilter(options)).toEqual({ state: ['unpaid'], since: '2026-10-01' });
    expect(toExportStatementFilter(createExportOptions(null))).toEqual({ state: ['unpaid', 'paid'] });
  });

  test('use the filter or the selected ids of the statement list', () => {
    const filter = { search: 'ada' };
    expect(toExportStatementFilter(createExportOptions({ filter }))).toBe(filter);
    expect(toExportPlanInput(createExportOptions({ ids: [3, 1] }), '/x')).toMatchObject({
      selection: { ids: [3, 1] },
    });
    expect(toExportStatementFilter(createExportOptions({ ids: [3, 1] }))).toBeNull();
  });

  test.each([
    ['', null],
    ['2026-02-28', null],
    ['2026-02-29', 'Enter the date as YYYY-MM-DD.'],
    ['28.2.2026', 'Enter the date as YYYY-MM-DD.'],
  ])('validate the date %j', (day, error) => {
    expect(validateDayInput(day)).toBe(error);
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

  test('allow replacing an existing file only for ZIP exports', () => {
    const options = { ...createExportOptions(null), replace: true };
    expect(toExportPlanInput(options, '/x').replace).toBe(false);
    expect(toExportPlanInput({ ...options, kind: 'zip' }, '/x.zip')).toMatchObject({
      replace: true,
      target: { kind: 'zip' },
    });
    expect(toExportPlanInput(options, '/x')).not.toHaveProperty('template');
  });
});

test('parses distinct ids and reports the first invalid one', () => {
  expect(parseStatementIdList('3, 1;2\n 3')).toEqual({ ids: [3, 1, 2], invalidWord: null });
  expect(parseStatementIdList('3 x1 y').invalidWord).toBe('x1');
  expect(parseStatementIdList(' ')).toEqual({ ids: [], invalidWord: null });
});
