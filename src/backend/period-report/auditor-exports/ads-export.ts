import type { Workpaper } from '../../../contract/index.ts';
import {
  ADS_FORMAT,
  type AdsTableName,
  adsTables,
  type ExportCell,
  formatExportAmount,
  formatExportRow,
  getAdsFieldType,
  getAdsFileName,
  UNCHANGED_TEXT_NOTE,
} from '../../../domain/auditor-exports/index.ts';
import {
  addCents,
  type BalanceTransaction,
  type Cents,
  findBalanceEffect,
  findMovementKind,
} from '../../../domain/ledger/index.ts';
import type { ExportCandidate } from '../../store/archive/export-candidates.ts';
import type { EvidencePackCells } from '../../store/evidence-pack/pack-rows.ts';
import type { PeriodEvidence } from '../report-source.ts';
import type { ControlTotals, ExpectedTotal, ExportFile } from './control-totals.ts';

/** Figures that make up the receivables, with the type of their rows. */
const RECEIVABLE_FIGURES = {
  'S5.open': 'Invoice',
  'S5.credits-due': 'Credit',
  'S5.overpaid': 'Overpayment',
} as const;
const INVOICE_FIGURES = ['S1.charges', 'S1.adjusted', 'S1.credits'];

/** Amount field of each table with a control total, and the figures of the workpaper to which it adds up. */
const CONTROL_TOTALS: Partial<Record<AdsTableName, { amount: string; figures: readonly string[] }>> = {
  Invoices_Generated: { amount: 'Invoice_Amount', figures: INVOICE_FIGURES },
  Invoices_Generated_Lines: { amount: 'Invoice_Line_Amount', figures: INVOICE_FIGURES },
  Cash_Received: { amount: 'Receipt_Amount', figures: ['S1.matched', 'S2.refunds'] },
  Open_Accounts_Receivable: { amount: 'Balance_Amount', figures: Object.keys(RECEIVABLE_FIGURES) },
};

type AdsRecord = Readonly<Record<string, ExportCell>>;
/** Records of a table. Null ends a step without a record. */
type AdsRecords = Generator<AdsRecord | null, void, undefined>;

/** A record of a table with its customer. */
interface CustomerRecord {
  readonly customer: AdsRecord | null;
  readonly record: AdsRecord;
}
type CustomerRecords = Generator<CustomerRecord | null, void, undefined>;

/** Yields the rows of a table of records as objects. The first row contains the column names. */
function* toRecords(rows: Iterable<EvidencePackCells>): Generator<AdsRecord, void, undefined> {
  let columns: string[] | null = null;
  for (const cells of rows) {
    if (columns === null) columns = cells.map(String);
    else yield Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null]));
  }
}

/** Fiscal year and period of a day, which are assumed to be the calendar year and month. */
const toFiscal = (day: string) => ({ year: day.slice(0, 4), period: `M${Number(day.slice(5, 7))}` });

/** Returns a customer, or null without a subscription. The service identifies a customer only by the subscription. */
function toCustomer(subscription: unknown, name: unknown, organization: unknown): AdsRecord | null {
  if (typeof subscription !== 'number') return null;
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    Customer_Account_ID: subscription,
    Customer_Account_Name: text(name),
    Customer_Group: text(organization),
  };
}

/** A charge, adjustment or credit, with its effect on the balance in cents. */
interface InvoiceLine {
  readonly record: AdsRecord;
  readonly cents: Cents;
}

/**
 * Yields the statements with their charges, adjustments and credits, and null for each statement without any. The
 * transactions have the order of the statements, so that only those of one statement are in memory.
 */
function* joinInvoiceLines({
  statements,
  transactions,
}: PeriodEvidence): Generator<{ statement: ExportCandidate; lines: InvoiceLine[] } | null, void, undefined> {
  const records = toRecords(transactions());
  let next = records.next();
  for (const statement of statements()) {
    const lines: InvoiceLine[] = [];
    for (; next.done !== true && next.value['statement'] === statement.id; next = records.next()) {
      const movement = toMovement(next.value);
      const kind = findMovementKind(movement);
      if (kind !== null && INVOICE_FIGURES.includes(`S1.${kind}`))
        lines.push({ record: next.value, cents: findBalanceEffect(movement) ?? 0 });
    }
    yield lines.length === 0 ? null : { statement, lines };
  }
}

/** Converts a row of the transactions table to a balance movement. */
function toMovement(record: AdsRecord): BalanceTransaction {
  const toText = (name: string) => (record[name] === null ? null : String(record[name]));
  const toCents = (name: string) => (record[name] === null ? null : Number(record[name]));
  return {
    transaction_type: toText('transaction_type'),
    type: toText('type'),
    amount_in_cents: toCents('amount_in_cents') ?? 0,
    success: record['success'] === null ? null : record['success'] === 1,
    starting_balance_in_cents: toCents('starting_balance_in_cents'),
    ending_balance_in_cents: toCents('ending_balance_in_cents'),
  };
}

function* listInvoices(evidence: PeriodEvidence): CustomerRecords {
  const { head, sections } = evidence.workpaper;
  const { currency } = sections[0]!;
  for (const invoice of joinInvoiceLines(evidence)) {
    if (invoice === null) {
      yield null;
      continue;
    }
    const { id, subscription_id, closed_at, customer_name, customer_organization } = invoice.statement;
    const amount = invoice.lines.reduce((sum, { cents }) => addCents(sum, cents), 0);
    const day = (closed_at ?? '').slice(0, 10);
    const { year, period } = toFiscal(day);
    const record = {
      ...{ Invoice_ID: id, Invoice_Number: id, Invoice_Date: day },
      ...{ Invoice_Fiscal_Year: year, Invoice_Period: period, Customer_Account_ID: subscription_id },
      ...{ Business_Unit_Code: head.site, Invoice_Amount: amount, Invoice_Amount_Currency: currency },
      ...{ Invoice_Amount_Local: amount, Invoice_Local_Currency: currency },
    };
    yield { customer: toCustomer(subscription_id, customer_name, customer_organization), record };
  }
}

function* listInvoiceLines(evidence: PeriodEvidence): AdsRecords {
  const { currency } = evidence.workpaper.sections[0]!;
  for (const invoice of joinInvoiceLines(evidence)) {
    yield null;
    for (const [at, { record, cents }] of (invoice?.lines ?? []).entries())
      yield {
        ...{ Invoice_ID: record['statement'] ?? null, Invoice_Line_ID: at + 1 },
        ...{ Invoice_Product_ID: record['product_id'] ?? null },
        ...{ Invoice_Product_Description: record['memo'] ?? null, Invoice_Line_Amount: cents },
        ...{ Invoice_Line_Amount_Currency: currency, Invoice_Line_Amount_Local: cents },
        Invoice_Line_Local_Currency: currency,
      };
  }
}

function* listReceipts({ payments, workpaper }: PeriodEvidence): CustomerRecords {
  const { first, last } = workpaper.head.period;
  for (const payment of toRecords(payments())) {
    const { id, subscription_id, currency, paid_on, gateway_transaction_id } = payment;
    const posted = String(payment['posted_on']);
    if (payment['removed'] === 1 || posted < first || posted > last) {
      yield null;
      continue;
    }
    const amount = Number(payment['amount_in_cents']);
    const { year, period } = toFiscal(String(paid_on));
    const record = {
      ...{ Customer_Account_ID: subscription_id ?? null, Receipt_ID: id ?? null },
      ...{ Receipt_Date: paid_on ?? null, Receipt_Fiscal_Year: year, Receipt_Fiscal_Period: period },
      ...{ Reference_Number: gateway_transaction_id ?? null, Reference_Date: paid_on ?? null },
      ...{ Amount_Credit_Debit_Indicator: amount < 0 ? 'D' : 'C' },
      ...{ Receipt_Amount: amount, Receipt_Amount_Currency: currency ?? null },
      ...{ Receipt_Amount_Local: amount, Receipt_Amount_Local_Currency: currency ?? null },
    };
    yield {
      customer: toCustomer(subscription_id, payment['customer_name'], payment['organization']),
      record,
    };
  }
}

function* listReceivables({ readRowsOfFigures, findCustomer }: PeriodEvidence): CustomerRecords {
  for (const row of readRowsOfFigures(Object.keys(RECEIVABLE_FIGURES))) {
    const type = row && RECEIVABLE_FIGURES[row.figure as keyof typeof RECEIVABLE_FIGURES];
    if (!row || !type) {
      yield null;
      continue;
    }
    const { currency, id, statement = id, day, cents } = row;
    const found = findCustomer(statement);
    const record = {
      ...{ Customer_Account_ID: found?.subscription ?? null, Transaction_ID: id, Invoice_ID: statement },
      ...{ Transaction_Type: type, Transaction_Date: day, Balance_Amount: cents },
      ...{ Balance_Amount_Currency: currency, Balance_Amount_Local: cents, Balance_Local_Currency: currency },
      Amount_Credit_Debit_Indicator: cents < 0 ? 'C' : 'D',
    };
    yield { customer: found && toCustomer(found.subscription, found.customer, found.organization), record };
  }
}

function* listRecords(rows: CustomerRecords): AdsRecords {
  for (const row of rows) yield row?.record ?? null;
}

/** Yields the customers of all records. Reads the records again, so that only the ids of the customers are in memory. */
function* listCustomers(evidence: PeriodEvidence): AdsRecords {
  const listed = new Set<ExportCell>();
  for (const list of [listInvoices, listReceipts, listReceivables])
    for (const row of list(evidence)) {
      const id = row?.customer?.['Customer_Account_ID'];
      const isNew = id !== undefined && !listed.has(id);
      if (isNew) listed.add(id);
      yield isNew ? (row?.customer ?? null) : null;
    }
}

/** Yields a table as text. Adds the amounts of its records to the control totals. */
function* formatTable(
  table: AdsTableName,
  records: AdsRecords,
  totals: ControlTotals,
): Generator<string | null, void, undefined> {
  const fields: readonly string[] = adsTables[table];
  const amount = CONTROL_TOTALS[table]?.amount;
  yield formatExportRow(
    fields,
    fields.map(() => 'text'),
    ADS_FORMAT,
  );
  const types = fields.map(getAdsFieldType);
  for (const record of records) {
    if (record !== null && amount !== undefined)
      totals.add(table, String(record[`${amount}_Currency`]), Number(record[amount]));
    yield record &&
      formatExportRow(
        fields.map((field) => record[field] ?? null),
        types,
        ADS_FORMAT,
      );
  }
}

/** Returns the totals that the tables must have according to the workpaper. */
export const listAdsTotals = ({ sections }: Workpaper): ExpectedTotal[] =>
  sections.flatMap(({ currency, schedules }) => {
    const lines = schedules.flatMap((schedule) => schedule.lines);
    return Object.entries(CONTROL_TOTALS).map(([name, { figures }]) => {
      const own = lines.filter(({ id }) => figures.includes(id));
      return {
        ...{ name, currency },
        cents: own.reduce((sum, { amount_in_cents }) => addCents(sum, amount_in_cents), 0),
      };
    });
  });

/**
 * Returns the files of an export by the AICPA Audit Data Standards (order to cash). The amounts of the tables are added to
 * the control totals while they are written.
 */
export function planAdsFiles(evidence: PeriodEvidence, totals: ControlTotals): readonly ExportFile[] {
  const { first, last } = evidence.workpaper.head.period;
  const createFile = (table: AdsTableName, records: AdsRecords): ExportFile => ({
    path: getAdsFileName(table, first, last),
    content: formatTable(table, records, totals),
  });
  return [
    createFile('Invoices_Generated', listRecords(listInvoices(evidence))),
    createFile('Invoices_Generated_Lines', listInvoiceLines(evidence)),
    createFile('Cash_Received', listRecords(listReceipts(evidence))),
    createFile('Open_Accounts_Receivable', listRecords(listReceivables(evidence))),
    createFile('Customer_Master', listCustomers(evidence)),
    { path: 'README.txt', content: [formatReadme(evidence.workpaper)] },
  ];
}

const formatReadme = (
  workpaper: Workpaper,
): string => `Order to cash records of ${workpaper.head.title}, ${workpaper.head.period.period}, written by Tieout ${workpaper.head.app_version}.
Audit Data Standards of the AICPA, Order to Cash Subledger Standard (July 2015). UTF-8, pipe-delimited, field names in the
first line, dates as YYYY-MM-DD. Fields that the billing records do not contain are empty.

${UNCHANGED_TEXT_NOTE}

Invoices_Generated        statements with charges, adjustments or credits, closed in the period
Invoices_Generated_Lines  their charges, adjustments and credits, signed by their effect on the balance
Cash_Received             payments (C) and refunds (D) dated in the period
Open_Accounts_Receivable  open statements, customer credits and overpayments at the end of the period
Customer_Master           customers of these records; the billing service identifies them by subscription

Not included, because the billing service has no such records: sales orders, shipments, and the application of payments to
single invoices. Fiscal years and periods are assumed to be calendar years and months.

Totals, equal to the workpaper with the digest ${workpaper.digest}:
${listAdsTotals(workpaper)
  .map(({ name, currency, cents }) => `${name.padEnd(26)}${formatExportAmount(cents, '.')} ${currency}`)
  .join('\n')}
`;
