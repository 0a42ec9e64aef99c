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
} from '../../../domain/auditor-exports/index.ts';
import {
  addCents,
  type BalanceTransaction,
  type Cents,
  findBalanceEffect,
  findMovementKind,
} from '../../../domain/ledger/index.ts';
import { isLastRowOfStep, type WorkSteps } from '../../../domain/work-steps/work-steps.ts';
import type { EvidencePackCells } from '../../store/evidence-pack/pack-rows.ts';
import type { PeriodEvidence } from '../report-source.ts';
import type { ControlTotals, ExpectedTotal, ExportFile } from './control-totals.ts';

/** Figures that the tables add up to. */
const INVOICE_FIGURES = ['S1.charges', 'S1.adjusted', 'S1.credits'] as const;
const RECEIPT_FIGURES = ['S1.matched', 'S2.refunds'] as const;
const RECEIVABLE_FIGURES = {
  'S5.open': 'Invoice',
  'S5.credits-due': 'Credit',
  'S5.overpaid': 'Overpayment',
} as const;

type AdsRecord = Readonly<Record<string, ExportCell>>;

/** Amounts behind the exported tables, by the id of their record. */
interface ExportedAmounts {
  /** Amount of each statement with charges, adjustments or credits. */
  readonly invoices: Map<number, Cents>;
  /** Amount of each payment and refund dated in the period, by currency and id. */
  readonly receipts: Map<string, Cents>;
}

function* collectAmounts({ figure_rows }: PeriodEvidence): WorkSteps<ExportedAmounts> {
  const amounts: ExportedAmounts = { invoices: new Map(), receipts: new Map() };
  const add = <Key>(sums: Map<Key, Cents>, key: Key, cents: Cents) =>
    sums.set(key, addCents(sums.get(key) ?? 0, cents));
  let at = 0;
  for (const { figure, currency, id, statement, cents } of figure_rows()) {
    if (isOneOf(INVOICE_FIGURES, figure) && statement !== undefined) add(amounts.invoices, statement, cents);
    if (isOneOf(RECEIPT_FIGURES, figure)) add(amounts.receipts, `${currency} ${id}`, cents);
    if (isLastRowOfStep(at++)) yield;
  }
  return amounts;
}

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

/** Yields the rows of a table of records as objects. The first row contains the column names. */
function* toRecords(rows: Iterable<EvidencePackCells>): Generator<AdsRecord> {
  let columns: string[] | null = null;
  for (const cells of rows) {
    if (columns === null) columns = cells.map(String);
    else yield Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null]));
  }
}

/** Fiscal year and period of a day, which are assumed to be the calendar year and month. */
const toFiscal = (day: string) => ({ year: day.slice(0, 4), period: `M${Number(day.slice(5, 7))}` });

function* listInvoices(
  { statements, workpaper }: PeriodEvidence,
  { invoices }: ExportedAmounts,
  customers: Customers,
): Generator<AdsRecord> {
  const { currency } = workpaper.sections[0]!;
  for (const { id, subscription_id, closed_at, customer_name, customer_organization } of statements()) {
    customers.add(subscription_id, customer_name, customer_organization);
    const amount = invoices.get(id);
    if (amount === undefined) continue;
    const day = (closed_at ?? '').slice(0, 10);
    const { year, period } = toFiscal(day);
    yield {
      ...{ Invoice_ID: id, Invoice_Number: id, Invoice_Date: day },
      ...{ Invoice_Fiscal_Year: year, Invoice_Period: period, Customer_Account_ID: subscription_id },
      ...{
        Business_Unit_Code: workpaper.head.site,
        Invoice_Amount: amount,
        Invoice_Amount_Currency: currency,
      },
      ...{ Invoice_Amount_Local: amount, Invoice_Local_Currency: currency },
    };
  }
}

function* listInvoiceLines(
  { transactions, workpaper }: PeriodEvidence,
  { invoices }: ExportedAmounts,
  totals: ControlTotals,
): Generator<AdsRecord> {
  const { currency } = workpaper.sections[0]!;
  let [statement, line] = [0, 0];
  for (const record of toRecords(transactions())) {
    const movement = toMovement(record);
    const kind = findMovementKind(movement);
    if (
      !invoices.has(Number(record['statement'])) ||
      kind === null ||
      !isOneOf(INVOICE_FIGURES, `S1.${kind}`)
    )
      continue;
    line = statement === Number(record['statement']) ? line + 1 : 1;
    statement = Number(record['statement']);
    const amount = findBalanceEffect(movement) ?? 0;
    totals.add('Invoices_Generated_Lines', currency, amount);
    yield {
      ...{ Invoice_ID: statement, Invoice_Line_ID: line, Invoice_Product_ID: record['product_id'] ?? null },
      ...{ Invoice_Product_Description: record['memo'] ?? null, Invoice_Line_Amount: amount },
      ...{ Invoice_Line_Amount_Currency: currency, Invoice_Line_Amount_Local: amount },
      Invoice_Line_Local_Currency: currency,
    };
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

function* listReceipts(
  { payments }: PeriodEvidence,
  { receipts }: ExportedAmounts,
  customers: Customers,
  totals: ControlTotals,
): Generator<AdsRecord> {
  for (const record of toRecords(payments())) {
    const { id, subscription_id, currency, paid_on, gateway_transaction_id } = record;
    const amount = receipts.get(`${currency} ${id}`);
    if (amount === undefined) continue;
    customers.add(subscription_id, record['customer_name'], record['organization']);
    totals.add('Cash_Received', String(currency), amount);
    const { year, period } = toFiscal(String(paid_on));
    yield {
      ...{
        Customer_Account_ID: subscription_id ?? null,
        Receipt_ID: id ?? null,
        Receipt_Date: paid_on ?? null,
      },
      ...{ Receipt_Fiscal_Year: year, Receipt_Fiscal_Period: period },
      ...{ Reference_Number: gateway_transaction_id ?? null, Reference_Date: paid_on ?? null },
      ...{ Amount_Credit_Debit_Indicator: amount < 0 ? 'D' : 'C' },
      ...{ Receipt_Amount: amount, Receipt_Amount_Currency: currency ?? null },
      ...{ Receipt_Amount_Local: amount, Receipt_Amount_Local_Currency: currency ?? null },
    };
  }
}

function* listReceivables(
  { figure_rows, findCustomer }: PeriodEvidence,
  customers: Customers,
  totals: ControlTotals,
): Generator<AdsRecord> {
  for (const { figure, currency, id, statement = id, day, cents } of figure_rows()) {
    const type = RECEIVABLE_FIGURES[figure as keyof typeof RECEIVABLE_FIGURES];
    if (type === undefined) continue;
    totals.add('Open_Accounts_Receivable', currency, cents);
    const customer = findCustomer(statement);
    customers.add(customer?.subscription, customer?.customer, customer?.organization);
    yield {
      ...{ Customer_Account_ID: customer?.subscription ?? null, Transaction_ID: id, Invoice_ID: statement },
      ...{ Transaction_Type: type, Transaction_Date: day, Balance_Amount: cents },
      ...{ Balance_Amount_Currency: currency, Balance_Amount_Local: cents, Balance_Local_Currency: currency },
      Amount_Credit_Debit_Indicator: cents < 0 ? 'C' : 'D',
    };
  }
}

/** Customers of the exported records. The service identifies a customer only by the subscription. */
class Customers {
  readonly #bySubscription = new Map<number, AdsRecord>();

  add(subscription: unknown, name: unknown, organization: unknown): void {
    if (typeof subscription !== 'number' || this.#bySubscription.has(subscription)) return;
    const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
    this.#bySubscription.set(subscription, {
      Customer_Account_ID: subscription,
      Customer_Account_Name: text(name),
      Customer_Group: text(organization),
    });
  }

  *list(): Generator<AdsRecord> {
    yield* this.#bySubscription.values();
  }
}

function* formatTable(table: AdsTableName, records: Iterable<AdsRecord>): Generator<string> {
  const fields: readonly string[] = adsTables[table];
  yield formatExportRow(
    fields,
    fields.map(() => 'text'),
    ADS_FORMAT,
  );
  const types = fields.map(getAdsFieldType);
  for (const record of records)
    yield formatExportRow(
      fields.map((field) => record[field] ?? null),
      types,
      ADS_FORMAT,
    );
}

/** Returns the totals that the tables must have according to the workpaper. */
export function listAdsTotals({ sections }: Workpaper): ExpectedTotal[] {
  const sum = (lines: readonly { id: string; amount_in_cents: Cents }[], figures: readonly string[]) =>
    lines.reduce(
      (total, line) => (figures.includes(line.id) ? addCents(total, line.amount_in_cents) : total),
      0,
    );
  return sections.flatMap(({ currency, schedules }) => {
    const lines = schedules.flatMap((schedule) => schedule.lines);
    return [
      { name: 'Invoices_Generated_Lines', currency, cents: sum(lines, INVOICE_FIGURES) },
      { name: 'Cash_Received', currency, cents: sum(lines, RECEIPT_FIGURES) },
      { name: 'Open_Accounts_Receivable', currency, cents: sum(lines, Object.keys(RECEIVABLE_FIGURES)) },
    ];
  });
}

/**
 * Returns the files of an export by the AICPA Audit Data Standards (order to cash), computed in steps. The amounts of the
 * tables are added to the control totals while they are written.
 */
export function* planAdsFiles(
  evidence: PeriodEvidence,
  totals: ControlTotals,
): WorkSteps<readonly ExportFile[]> {
  const { head } = evidence.workpaper;
  const { first, last } = head.period;
  const amounts = yield* collectAmounts(evidence);
  const customers = new Customers();
  const createFile = (table: AdsTableName, records: Iterable<AdsRecord>): ExportFile => ({
    path: getAdsFileName(table, first, last),
    content: formatTable(table, records),
  });
  return [
    createFile('Invoices_Generated', listInvoices(evidence, amounts, customers)),
    createFile('Invoices_Generated_Lines', listInvoiceLines(evidence, amounts, totals)),
    createFile('Cash_Received', listReceipts(evidence, amounts, customers, totals)),
    createFile('Open_Accounts_Receivable', listReceivables(evidence, customers, totals)),
    createFile('Customer_Master', customers.list()),
    { path: 'README.txt', content: [formatReadme(evidence.workpaper)] },
  ];
}

const formatReadme = (
  workpaper: Workpaper,
): string => `Order to cash records of ${workpaper.head.title}, ${workpaper.head.period.period}, written by Tieout ${workpaper.head.app_version}.
Audit Data Standards of the AICPA, Order to Cash Subledger Standard (July 2015). UTF-8, pipe-delimited, field names in the
first line, dates as YYYY-MM-DD. Fields that the billing records do not contain are empty.

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
