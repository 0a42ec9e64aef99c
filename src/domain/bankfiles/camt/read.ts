import { readAmount } from '../amount.ts';
import { type FileBytes, headOf } from '../bytes.ts';
import { balance, type Collector, type StatementDraft } from '../collector.ts';
import { currencyCode } from '../currency.ts';
import { encodingName, textOf } from '../encoding.ts';
import { inCurrency } from '../finish.ts';
import type { FormatReading } from '../read.ts';
import { amountIn, dateIn, EntryReader } from './entry.ts';
import { type Element, find, firstText, textAt, walkXml, XmlRefusal } from './tree.ts';

const REPORTS = new Map([
  ['Stmt', 'camt.053'],
  ['Rpt', 'camt.052'],
  ['Ntfctn', 'camt.054'],
]);

/** Reads CAMT.052, .053 and .054 of any version. */
export function readCamt(bytes: FileBytes, file: Collector): FormatReading {
  const head = new TextDecoder('windows-1252').decode(headOf(bytes, 1000));
  const named = /encoding=["']([\w-]{2,40})["']/i.exec(head)?.[1];
  const text = textOf(bytes, undefined, named);
  const reader = new CamtReader(file);
  try {
    walkXml(text.pieces(), reader.opened, reader.closed);
  } catch (error) {
    if (!(error instanceof XmlRefusal)) throw error;
    file.problem('refused', `line ${error.line}`, `${error.message} What stands behind it was not read.`);
  }
  if (reader.version === 'camt.054' && file.lines > 0) {
    file.problem(
      'doubtful',
      'the file',
      'A camt.054 tells the details of entries that the account’s statement (camt.053) holds too: bring in only one of the two.',
    );
  }
  return { dialect: `${reader.message ?? reader.version ?? 'CAMT'}, ${encodingName(text.encoding)}` };
}

class CamtReader {
  version: string | null = null;
  message: string | null = null;
  readonly #file: Collector;
  readonly #entries: EntryReader;
  #statement: StatementDraft | null = null;

  constructor(file: Collector) {
    this.#file = file;
    this.#entries = new EntryReader(file);
  }

  readonly opened = (element: Element): void => {
    const { name, attributes, line } = element;
    if (name === 'Document') {
      for (const value of Object.values(attributes)) {
        this.message ??= /camt\.05[234]\.\d{3}\.\d{2}/.exec(value)?.[0] ?? null;
      }
    }
    const version = REPORTS.get(name);
    if (version !== undefined) {
      this.version = version;
      this.#statement = this.#file.statement(`line ${line}`);
      this.#entries.begin(null);
    }
  };

  /** Returns true for elements that were processed and need not be kept. */
  readonly closed = (element: Element, path: readonly Element[]): boolean => {
    const parent = path.at(-1)?.name ?? '';
    const { name } = element;
    if (REPORTS.has(parent) && this.#statement !== null) {
      if (name === 'Ntry') this.#entries.read(element, this.#statement);
      else this.#part(element, this.#statement);
      return name !== 'TxsSummry';
    }
    if (REPORTS.has(name) && this.#statement !== null) {
      this.#summary(element);
      this.#statement = null;
    }
    return REPORTS.has(name) || name === 'GrpHdr';
  };

  #part(element: Element, statement: StatementDraft): void {
    if (element.name === 'Id') statement.number ??= element.text.trim() || null;
    if (element.name === 'ElctrncSeqNb') statement.number = element.text.trim() || statement.number;
    if (element.name === 'Acct') {
      statement.account = firstText(
        element,
        ['Id', 'IBAN'],
        ['Id', 'Othr', 'Id'],
        ['Id', 'PrtryAcct', 'Id'],
        ['Id', 'BBAN'],
      );
      statement.bank = firstText(
        element,
        ['Svcr', 'FinInstnId', 'BIC'],
        ['Svcr', 'FinInstnId', 'BICFI'],
        ['Svcr', 'FinInstnId', 'ClrSysMmbId', 'MmbId'],
      );
      statement.currency = currencyCode(textAt(element, 'Ccy') ?? '');
      this.#entries.begin(statement.currency);
    }
    if (element.name === 'FrToDt') {
      statement.from = dateIn(element, 'FrDt') ?? dateIn(element, 'FrDtTm');
      statement.to = dateIn(element, 'ToDt') ?? dateIn(element, 'ToDtTm');
    }
    if (element.name === 'Bal') this.#balance(element, statement);
  }

  #balance(element: Element, statement: StatementDraft): void {
    const code = firstText(element, ['Tp', 'CdOrPrtry', 'Cd'], ['Tp', 'Cd']) ?? '';
    const amount = amountIn(find(element, 'Amt'), textAt(element, 'CdtDbtInd'), statement.currency);
    if (!['OPBD', 'PRCD', 'CLBD'].includes(code)) return;
    if ('reason' in amount) {
      this.#file.problem(
        'doubtful',
        `line ${element.line}`,
        `The balance ${code} cannot be read: it ${amount.reason}.`,
        textAt(element, 'Amt') ?? '',
      );
      return;
    }
    statement.currency ??= amount.currency;
    this.#entries.begin(statement.currency);
    const stated = balance(amount.cents, dateIn(element, 'Dt'));
    if (code === 'OPBD' || (code === 'PRCD' && statement.opening === null)) statement.opening = stated;
    if (code === 'CLBD') statement.closing = stated;
  }

  /** Compares the statement's own count and sums with the entries read. */
  #summary(element: Element): void {
    const summary = find(element, 'TxsSummry');
    const { count, credits, debits, unread } = this.#entries.seen;
    const place = `line ${summary?.line ?? element.line}`;
    const stated = firstText(summary, ['TtlNtries', 'NbOfNtries']);
    if (stated !== null && /^\d{1,9}$/.test(stated) && Number(stated) !== count) {
      this.#file.problem(
        'balance',
        place,
        `The statement says that it has ${stated} entries, but holds ${count}.`,
      );
    }
    if (unread) return;
    for (const [part, sum, word] of [
      ['TtlCdtNtries', credits, 'credits'],
      ['TtlDbtNtries', debits, 'debits'],
    ] as const) {
      const text = textAt(summary, part, 'Sum');
      const reading = text === null ? null : readAmount(text, '.', this.#entries.currency);
      if (reading === null || 'reason' in reading || reading.cents === sum) continue;
      const say = (amount: number) => inCurrency(amount, this.#entries.currency);
      this.#file.problem(
        'balance',
        place,
        `The statement says that its ${word} add up to ${say(reading.cents)}, but they add up to ${say(sum)}.`,
      );
    }
  }
}
