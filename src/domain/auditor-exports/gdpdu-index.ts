import type { DelimitedFormat, ExportColumnType } from './delimited-text.ts';
import { GDPDU_DTD_NAME } from './gdpdu-dtd.ts';

/** Text format of the tables in a GoBD export. `index.xml` states the same symbols and the encapsulator. */
export const GDPDU_FORMAT: DelimitedFormat = { delimiter: ';', decimalSymbol: ',' };

export interface GdpduTable {
  /** Name of the table. Its file is the name with `.csv`. */
  readonly name: string;
  readonly description: string;
  /** Columns in order. The first column is the primary key if `isKeyed` is true. */
  readonly columns: readonly {
    readonly name: string;
    readonly description: string;
    readonly type: ExportColumnType;
  }[];
  readonly isKeyed: boolean;
  readonly foreignKeys: readonly { readonly column: string; readonly references: string }[];
}

export interface GdpduDataSet {
  readonly supplier: { readonly name: string; readonly location: string; readonly comment: string };
  readonly media: string;
  /** First and last day of the data. */
  readonly first: string;
  readonly last: string;
  readonly tables: readonly GdpduTable[];
}

/** Returns the path of a table in the export. */
export const getGdpduTablePath = (name: string): string => `${name}.csv`;

/** Returns `index.xml`, which describes the tables of a GoBD export by the description standard. */
export function formatGdpduIndex({ supplier, media, first, last, tables }: GdpduDataSet): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE DataSet SYSTEM "${GDPDU_DTD_NAME}">
<DataSet>
  <Version>1.0</Version>
  <DataSupplier>
    ${element('Name', supplier.name)}
    ${element('Location', supplier.location)}
    ${element('Comment', supplier.comment)}
  </DataSupplier>
  <Media>
    ${element('Name', media)}
${tables.map((table) => formatTable(table, first, last)).join('')}  </Media>
</DataSet>
`;
}

const TYPE_ELEMENTS: Readonly<Record<ExportColumnType, string>> = {
  text: '<AlphaNumeric/>',
  date: '<Date><Format>YYYY-MM-DD</Format></Date>',
  number: '<Numeric><Accuracy>0</Accuracy></Numeric>',
  amount: '<Numeric><Accuracy>2</Accuracy></Numeric>',
};

function formatTable(
  { name, description, columns, isKeyed, foreignKeys }: GdpduTable,
  first: string,
  last: string,
) {
  const lines = columns.map((column, at) => {
    const tag = isKeyed && at === 0 ? 'VariablePrimaryKey' : 'VariableColumn';
    const content = `${element('Name', column.name)}${element('Description', column.description)}${TYPE_ELEMENTS[column.type]}`;
    return `        <${tag}>${content}</${tag}>\n`;
  });
  const keys = foreignKeys.map(
    ({ column, references }) =>
      `        <ForeignKey>${element('Name', column)}${element('References', references)}</ForeignKey>\n`,
  );
  return `    <Table>
      ${element('URL', getGdpduTablePath(name))}
      ${element('Name', name)}
      ${element('Description', description)}
      <Validity><Range><From>${first}</From><To>${last}</To></Range><Format>YYYY-MM-DD</Format></Validity>
      <UTF8/>
      <DecimalSymbol>${GDPDU_FORMAT.decimalSymbol}</DecimalSymbol>
      <DigitGroupingSymbol>.</DigitGroupingSymbol>
      <Range><From>2</From></Range>
      <VariableLength>
        <ColumnDelimiter>${GDPDU_FORMAT.delimiter}</ColumnDelimiter>
        <RecordDelimiter>&#13;&#10;</RecordDelimiter>
        <TextEncapsulator>&quot;</TextEncapsulator>
${[...lines, ...keys].join('')}      </VariableLength>
    </Table>
`;
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes text for XML 1.0. Characters that XML cannot contain become spaces. */
const escapeXml = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ')
    .replaceAll(/[&<>]/g, (character) => ESCAPES[character]!);
