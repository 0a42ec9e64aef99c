import PDFDocument from 'pdfkit';
import { LATIN_TRANSLITERATIONS } from '../simulation/customers.ts';
import { findLatestStatementChangeTime } from './json-records.ts';
import { formatDollars } from './memos.ts';
import {
  createStatementHeading,
  formatPaymentsAfterClosing,
  listPrintedStatementLines,
  type StatementView,
} from './statement-views.ts';

const INK = '#1c2733';
const FAINT = '#6b7a89';
const RULE = '#c6d0da';

/** Renders a statement as a PDF. The same statement always gives the same bytes. */
export function renderStatementPdf(view: StatementView): Promise<Buffer> {
  const { payer, facts } = createStatementHeading(view);
  const created = new Date(findLatestStatementChangeTime(view.statement) * 1000);
  const number = facts[0]?.[1] ?? '';
  const authors = { Author: 'Harbor Analytics', Creator: 'Billing' };
  const info = { Title: `Statement ${number}`, ...authors, CreationDate: created, ModDate: created };
  const document = new PDFDocument({ size: 'LETTER', margin: 54, info });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(chunks))));

  document.rect(54, 50, 504, 3).fill('#2f6f8f');
  document.fillColor(INK).font('Helvetica-Bold').fontSize(18).text('Harbor Analytics', 54, 66);
  document.font('Helvetica').fontSize(11).fillColor(FAINT).text('Billing statement', 54, 90);
  document.fontSize(10).fillColor(INK);
  for (const [i, line] of payer.entries()) document.text(toLatin(line), 54, 130 + i * 14);
  for (const [i, [name, value]] of facts.entries()) {
    document.fillColor(FAINT).text(name, 350, 130 + i * 16, { width: 80 });
    document.fillColor(INK).text(value, 430, 130 + i * 16, { width: 128, align: 'right' });
  }

  let y = 226;
  const row = (date: string, text: string, amount: string, font = 'Helvetica'): void => {
    if (y > 700) {
      document.addPage();
      y = 60;
    }
    document.font(font).fontSize(10).fillColor(FAINT).text(date, 54, y, { width: 70 });
    document.fillColor(INK).text(toLatin(text), 130, y, { width: 330, height: 24, ellipsis: true });
    const height = Math.max(document.y - y, 12);
    document.text(amount, 470, y, { width: 88, align: 'right' });
    y += height + 7;
    const ruleY = y - 4;
    document.moveTo(54, ruleY).lineTo(558, ruleY).lineWidth(0.5).strokeColor(RULE).stroke();
  };
  row('Date', 'Description', 'Amount', 'Helvetica-Bold');
  row('', 'Starting balance', formatDollars(view.statement.starting));
  for (const { date, text, amount, note } of listPrintedStatementLines(view))
    row(date, note ? `${text} (${note})` : text, formatDollars(amount));
  const balance = view.statement.closedAt ? 'Ending balance' : 'Balance';
  row('', balance, formatDollars(view.statement.ending), 'Helvetica-Bold');

  const closing = [...formatPaymentsAfterClosing(view), 'We thank you for your continued business!'];
  document.font('Helvetica').fontSize(9).fillColor(FAINT);
  for (const [i, text] of closing.entries()) document.text(text, 54, Math.min(y + 20, 680) + i * 13);
  document.end();
  return done;
}

const TRANSLITERATED_NAMES = new RegExp(Object.keys(LATIN_TRANSLITERATIONS).join('|'), 'g');

/** Transliterates text, because standard PDF fonts have only Latin letters. Unknown characters become codes. */
const toLatin = (text: string): string =>
  text
    .replace(TRANSLITERATED_NAMES, (word) => LATIN_TRANSLITERATIONS[word] as string)
    .replace(/[^\u0020-\u007e\u00a0-\u00ff\u2026]/gu, (character) => {
      const plain = character.normalize('NFKD').replace(/[^\u0020-\u007e]/g, '');
      return plain || `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()} `;
    });
