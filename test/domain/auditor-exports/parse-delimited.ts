/** Symbols of a delimited table, as its description states them. */
export interface TableFormat {
  readonly delimiter: string;
  readonly encapsulator: string;
  readonly recordDelimiter: string;
}

/** Format of tables by the Audit Data Standards, as the README of the export states it. */
export const ADS_TABLE: TableFormat = { delimiter: '|', encapsulator: '"', recordDelimiter: '\r\n' };

/** Returns the cells of each record, as a reader of the description does: encapsulated text may contain every symbol. */
export function parseDelimited(
  content: string,
  { delimiter, encapsulator, recordDelimiter }: TableFormat,
): string[][] {
  const records: string[][] = [];
  let [record, cell, at]: [string[], string, number] = [[], '', 0];
  while (at < content.length) {
    if (cell === '' && content.startsWith(encapsulator, at)) {
      for (at++; ; at++) {
        if (at >= content.length) throw new Error(`Text of record ${records.length} does not end.`);
        if (content[at] !== encapsulator) cell += content[at];
        else if (content[at + 1] === encapsulator) cell += content[at++];
        else break;
      }
      at++;
      if (!content.startsWith(delimiter, at) && !content.startsWith(recordDelimiter, at))
        throw new Error(`Text of record ${records.length} continues after its end.`);
    }
    if (content.startsWith(delimiter, at)) {
      record.push(cell);
      cell = '';
      at += delimiter.length;
    } else if (content.startsWith(recordDelimiter, at)) {
      records.push([...record, cell]);
      [record, cell] = [[], ''];
      at += recordDelimiter.length;
    } else cell += content[at++] ?? '';
  }
  if (record.length > 0 || cell !== '') throw new Error('The last record has no record delimiter.');
  return records;
}

/** A table that the index of a GoBD export describes. */
export interface DescribedTable {
  readonly path: string;
  readonly name: string;
  readonly isKeyed: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly accuracy?: string }[];
  readonly foreignKeys: readonly { readonly column: string; readonly references: string }[];
  readonly format: TableFormat;
  readonly decimalSymbol: string;
}

const unescapeXml = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Returns the tables that an `index.xml` describes. */
export const parseIndex = (index: string): DescribedTable[] =>
  [...index.matchAll(/<Table>(.*?)<\/Table>/gs)].map(([, table = '']) => {
    const find = (element: string) =>
      unescapeXml(new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(table)?.[1] ?? '');
    const columns = table.matchAll(
      /<Variable(?:PrimaryKey|Column)><Name>(.*?)<\/Name>.*?<(Numeric|AlphaNumeric|Date)\b(?:>?<Accuracy>(\d))?/g,
    );
    const keys = table.matchAll(
      /<ForeignKey><Name>(.*?)<\/Name><References>(.*?)<\/References><\/ForeignKey>/g,
    );
    return {
      ...{ path: find('URL'), name: find('Name'), isKeyed: table.includes('<VariablePrimaryKey>') },
      columns: [...columns].map(([, name = '', type = '', accuracy]) => ({
        ...{ name, type },
        ...(accuracy !== undefined && { accuracy }),
      })),
      foreignKeys: [...keys].map(([, column = '', references = '']) => ({ column, references })),
      format: {
        delimiter: find('ColumnDelimiter'),
        encapsulator: find('TextEncapsulator'),
        recordDelimiter: find('RecordDelimiter'),
      },
      decimalSymbol: find('DecimalSymbol'),
    };
  });
