import { describe, expect, test } from 'vitest';
import { CliError } from '../../../src/cli/errors/cli-error.ts';
import { parseServiceIds } from '../../../src/cli/input/ids-file.ts';
import { formatCsvRow } from '../../../src/domain/csv/csv-row.ts';

describe('--ids-file', () => {
  test.each([
    ['one a line', '17\n18\n19\n', [17, 18, 19]],
    ['commas and white space', '17, 18\t19 20\r\n\r\n21', [17, 18, 19, 20, 21]],
    ['a byte order mark', '\ufeff17\n', [17]],
    ['a CSV with a header', 'event,id\r\npayment_success,17\r\npayment_failure,18\r\n', [17, 18]],
    ['a CSV whose first column is another number', 'webhook,subscription_id\n17,4\n18,5\n', [17, 18]],
    ['nothing', '\n', []],
  ])('reads %s', (_name, content, ids) => {
    expect(parseServiceIds(content)).toEqual(ids);
  });

  test('reads the output of `tieout webhooks list --csv` with any text', () => {
    const csv = [
      ['id', 'event', 'last_error'],
      [17, 'x', 'a "quoted"\nline, and\r\nanother'],
      [18, '=x', ''],
    ];
    expect(parseServiceIds(csv.map(formatCsvRow).join(''))).toEqual([17, 18]);
  });

  test.each(['17\nabc\n', '17\n-3\n', '17\n1.5\n', 'id\n99999999999999999999\n'])('rejects %j', (content) => {
    expect(() => parseServiceIds(content)).toThrow(CliError);
  });
});
