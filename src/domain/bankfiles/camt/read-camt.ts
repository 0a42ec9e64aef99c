import type { FormatReadResult } from '../model/bank-file.ts';
import {
  createStatedBalance,
  type LineCollector,
  type StatementDraft,
} from '../statements/line-collector.ts';
import { decodeText, getEncodingLabel } from '../text/encoding.ts';
import { type BankFileBytes, readFirstBytes } from '../text/file-bytes.ts';
import { parseAmount } from '../values/amount-text.ts';
import { formatAmountInCurrency, parseCurrencyCode } from '../values/currency.ts';
import { CamtEntryReader, readCamtAmount, readCamtDate } from './camt-entry.ts';
import {
  findFirstXmlText,
  findXmlElement,
  findXmlText,
  walkXml,
  type XmlElement,
  XmlReadError,
} from './xml-elements.ts';

const REPORTS = new Map(Object.entries({ Stmt: 'camt.053', Rpt: 'camt.052', Ntfctn: 'camt.054' }));

/** Reads CAMT.052, CAMT.053 and CAMT.054 files of any version. */
export function readCamt(bytes: BankFileBytes, file: LineCollector): FormatReadResult {
  const head = new TextDecoder('windows-1252').decode(readFirstBytes(bytes, 1000));
  const declared = /encoding=["']([\w-]{2,40})["']/i.exec(head)?.[1];
  const text = decodeText(bytes, undefined, declared);
  const reader = new CamtReader(file);
  try {
    walkXml(text.chunks(), reader.opened, reader.closed);
  } catch (error) {
    if (!(error instanceof XmlReadError)) throw error;
    const reason = `${error.message} The rest of the file was not read.`;
    file.reportProblem('refused', `line ${error.line}`, reason);
  }
  if (reader.version === 'camt.054' && file.lines > 0) {
    const reason =
      'A camt.054 file contains details of entries that are also in the account’s statement (camt.053). Import only one of the two.';
    file.reportProblem('doubtful', 'the file', reason);
  }
  return { dialect: `${reader.message ?? reader.version ?? 'CAMT'}, ${getEncodingLabel(text.encoding)}` };
}

class CamtReader {
  version: string | null = null;
  message: string | null = null;
  readonly #file: LineCollector;
  readonly #entries: CamtEntryReader;
  #statement: StatementDraft | null = null;

  constructor(file: LineCollector) {
    this.#file = file;
    this.#entries = new CamtEntryReader(file);
  }

  readonly opened = (element: XmlElement): void => {
    const { name, attributes, line } = element;
    if (name === 'Document') {
      for (const value of Object.values(attributes))
        this.message ??= /camt\.05[234]\.\d{3}\.\d{2}/.exec(value)?.[0] ?? null;
    }
    const version = REPORTS.get(name);
    if (version !== undefined) {
      this.version = version;
      this.#statement = this.#file.beginStatement(`line ${line}`);
      this.#entries.begin(null);
    }
  };

  /** Returns true for XML elements that have been processed, so that they can be removed from memory. */
  readonly closed = (element: XmlElement, path: readonly XmlElement[]): boolean => {
    const parent = path.at(-1)?.name ?? '';
    const { name } = element;
    if (REPORTS.has(parent) && this.#statement !== null) {
      if (name === 'Ntry') this.#entries.read(element, this.#statement);
      else this.#readPart(element, this.#statement);
      return name !== 'TxsSummry';
    }
    if (REPORTS.has(name) && this.#statement !== null) {
      this.#checkSummary(element);
      this.#statement = null;
    }
    return REPORTS.has(name) || name === 'GrpHdr';
  };

  #readPart(element: XmlElement, statement: StatementDraft): void {
    if (element.name === 'Id') statement.number ??= element.text.trim() || null;
    if (element.name === 'ElctrncSeqNb') statement.number = element.text.trim() || statement.number;
    if (element.name === 'Acct') {
      statement.account = findFirstXmlText(
        element,
        ['Id', 'IBAN'],
        ['Id', 'Othr', 'Id'],
        ['Id', 'PrtryAcct', 'Id'],
        ['Id', 'BBAN'],
      );
      statement.bank = findFirstXmlText(
        element,
        ['Svcr', 'FinInstnId', 'BIC'],
        ['Svcr', 'FinInstnId', 'BICFI'],
        ['Svcr', 'FinInstnId', 'ClrSysMmbId', 'MmbId'],
      );
      statement.currency = parseCurrencyCode(findXmlText(element, 'Ccy') ?? '');
      this.#entries.begin(statement.currency);
    }
    if (element.name === 'FrToDt') {
      statement.from = readCamtDate(element, 'FrDt') ?? readCamtDate(element, 'FrDtTm');
      statement.to = readCamtDate(element, 'ToDt') ?? readCamtDate(element, 'ToDtTm');
    }
    if (element.name === 'Bal') this.#readBalance(element, statement);
  }

  #readBalance(element: XmlElement, statement: StatementDraft): void {
    const code = findFirstXmlText(element, ['Tp', 'CdOrPrtry', 'Cd'], ['Tp', 'Cd']) ?? '';
    const amount = readCamtAmount(
      findXmlElement(element, 'Amt'),
      findXmlText(element, 'CdtDbtInd'),
      statement.currency,
    );
    if (!['OPBD', 'PRCD', 'CLBD'].includes(code)) return;
    if ('reason' in amount) {
      const reason = `The balance ${code} is invalid: it ${amount.reason}.`;
      this.#file.reportProblem('doubtful', `line ${element.line}`, reason, {
        raw: findXmlText(element, 'Amt') ?? '',
      });
      return;
    }
    statement.currency ??= amount.currency;
    this.#entries.begin(statement.currency);
    const stated = createStatedBalance(amount.cents, readCamtDate(element, 'Dt'));
    if (code === 'OPBD' || (code === 'PRCD' && statement.opening === null)) statement.opening = stated;
    if (code === 'CLBD') statement.closing = stated;
  }

  /** Compares the statement's own count and sums with the entries that were read. */
  #checkSummary(element: XmlElement): void {
    const summary = findXmlElement(element, 'TxsSummry');
    const { count, credits, debits, hasUnreadEntry } = this.#entries.totals;
    const location = `line ${summary?.line ?? element.line}`;
    const stated = findFirstXmlText(summary, ['TtlNtries', 'NbOfNtries']);
    if (stated !== null && /^\d{1,9}$/.test(stated) && Number(stated) !== count) {
      const reason = `The statement gives its number of entries as ${stated}, but contains ${count}.`;
      this.#file.reportProblem('balance', location, reason);
    }
    if (hasUnreadEntry) return;
    for (const [part, sum, word] of [
      ['TtlCdtNtries', credits, 'credits'],
      ['TtlDbtNtries', debits, 'debits'],
    ] as const) {
      const text = findXmlText(summary, part, 'Sum');
      const parsed = text === null ? null : parseAmount(text, '.', this.#entries.currency);
      if (parsed === null || 'reason' in parsed || parsed.cents === sum) continue;
      const format = (amount: number) => formatAmountInCurrency(amount, this.#entries.currency);
      const reason = `The statement gives the sum of its ${word} as ${format(parsed.cents)}, but they add up to ${format(sum)}.`;
      this.#file.reportProblem('balance', location, reason);
    }
  }
}
