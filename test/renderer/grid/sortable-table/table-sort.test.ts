import { expect, test } from 'vitest';
import { formatHtmlTable } from '../../../../src/renderer/grid/clipboard/copy-table.ts';
import { getNextSortOrder, sortRows } from '../../../../src/renderer/grid/sortable-table/table-sort.ts';

const columns = [{ id: 'amount', sortValue: (row: { amount: number | null }) => row.amount }, { id: 'note' }];

test('sorting cycles through ascending, descending and original order; it is stable and puts empty values last', () => {
  const rows = [{ amount: 2 }, { amount: null }, { amount: 1 }, { amount: 2 }];
  const [first, none, one, second] = rows;
  const up = getNextSortOrder(null, 'amount');
  expect(sortRows(rows, columns, up)).toEqual([one, first, second, none]);
  expect(sortRows(rows, columns, up)[1]).toBe(first);
  const down = getNextSortOrder(up, 'amount');
  expect(sortRows(rows, columns, down)).toEqual([first, second, one, none]);
  expect(getNextSortOrder(down, 'amount')).toBeNull();
  expect(sortRows(rows, columns, null)).toBe(rows);
  expect(sortRows(rows, columns, { id: 'note', direction: 'asc' })).toBe(rows);
});

test('a table exported as HTML contains neither formulas nor markup from its cells', () => {
  const html = formatHtmlTable([
    [{ text: 'Memo' }, { text: 'Amount' }],
    [{ text: '=HYPERLINK("http://x")' }, { exact: '-5.00' }],
    [{ text: '<img src=x onerror=1>\nnext' }, { exact: '' }],
  ]);
  expect(html).toBe(
    '<table><tr><th>Memo</th><th>Amount</th></tr>' +
      '<tr><td>\'=HYPERLINK(&quot;http://x&quot;)</td><td align="right">-5.00</td></tr>' +
      '<tr><td>&lt;img src=x onerror=1&gt;<br>next</td><td align="right"></td></tr></table>',
  );
});
