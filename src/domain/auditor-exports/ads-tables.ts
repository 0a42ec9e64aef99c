import type { DelimitedFormat, ExportColumnType } from './delimited-text.ts';

/**
 * Tables of the AICPA Audit Data Standards, Order to Cash Subledger Standard (July 2015), with their fields of level 1. Fields
 * that the billing records do not contain stay empty.
 */

/** Files of the standard are pipe-delimited, with the field names in the first line. */
export const ADS_FORMAT: DelimitedFormat = { delimiter: '|', decimalSymbol: '.' };

const currencies = (prefix: string, reporting = prefix.replace(/_Amount$/, '')) => [
  ...[`${prefix}`, `${prefix}_Currency`, `${prefix}_Reporting`, `${reporting}_Reporting_Currency`],
  ...[`${prefix}_Local`, `${reporting}_Local_Currency`],
];

const address = (prefix: string) =>
  ['City', 'State_Province', 'ZipPostalCode', 'Country'].map((name) => `${prefix}_${name}`);

const taxes = (suffix: string) => [1, 2, 3].map((number) => `Tax${number}_${suffix}`);

/** Field names of each table in the order of the standard. */
export const adsTables = {
  Customer_Master: [
    ...['Customer_Account_ID', 'Customer_Account_Name', 'Customer_Group'],
    ...[
      'Customer_Physical_Street_Address1',
      'Customer_Physical_Street_Address2',
      ...address('Customer_Physical'),
    ],
    ...[
      'Customer_TIN',
      'Customer_Billing_Address1',
      'Customer_Billing_Address2',
      ...address('Customer_Billing'),
    ],
    'Entered_By',
  ],
  Invoices_Generated: [
    ...['Invoice_ID', 'Invoice_Number', 'Invoice_Date', 'Invoice_Fiscal_Year', 'Invoice_Period'],
    ...['Invoice_Due_Date', 'Sales_Order_ID', 'Business_Unit_Code', 'Customer_Account_ID', 'Entered_By'],
    ...currencies('Invoice_Amount'),
    ...[...taxes('Type'), ...taxes('Type_Description')],
  ],
  Invoices_Generated_Lines: [
    ...['Invoice_ID', 'Invoice_Line_ID', 'Sales_Order_ID', 'Sales_Order_Line_ID'],
    ...['Invoice_Product_ID', 'Invoice_Product_Description', ...currencies('Invoice_Line_Amount')],
    ...[...taxes('Type'), ...taxes('Type_Description')],
    ...['GL_Line_Debit_Account_Number', 'GL_Line_Credit_Account_Number'],
    ...[1, 2, 3].flatMap((number) => [
      `GL_Tax${number}_Debit_Account_Number`,
      `GL_Tax${number}_Credit_Account_Number`,
    ]),
  ],
  Cash_Received: [
    ...['Customer_Account_ID', 'Receipt_ID', 'Receipt_Date', 'Receipt_Fiscal_Year', 'Receipt_Fiscal_Period'],
    ...[
      'Reference_Number',
      'Reference_Date',
      'Amount_Credit_Debit_Indicator',
      ...currencies('Receipt_Amount', 'Receipt_Amount'),
    ],
    'Entered_By',
  ],
  Open_Accounts_Receivable: [
    ...['Customer_Account_ID', 'Transaction_ID', 'Invoice_ID', 'Transaction_Type', 'Transaction_Date'],
    ...['Transaction_Due_Date', ...currencies('Balance_Amount'), 'Amount_Credit_Debit_Indicator'],
  ],
} as const satisfies Record<string, readonly string[]>;
export type AdsTableName = keyof typeof adsTables;

/** Tables of balances at a date. The others contain the transactions of a range of days. */
const BALANCE_TABLES: ReadonlySet<AdsTableName> = new Set(['Customer_Master', 'Open_Accounts_Receivable']);

/** Returns the file name of a table, for example `Invoices_Generated_20261001_20261031.txt`. Days are `YYYY-MM-DD`. */
export function getAdsFileName(table: AdsTableName, first: string, last: string): string {
  const days = (BALANCE_TABLES.has(table) ? [last] : [first, last]).map((day) => day.replaceAll('-', ''));
  return `${table}_${days.join('_')}.txt`;
}

/** Returns the type of a field by its name. */
export function getAdsFieldType(field: string): ExportColumnType {
  if (/_Date$/.test(field)) return 'date';
  return /_Amount(_Reporting|_Local)?$/.test(field) ? 'amount' : 'text';
}
