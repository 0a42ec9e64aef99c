import type { ClosedFigures, SignOffChange } from '../../contract/periods/closed-figures.ts';
import type { BroughtForwardItem, ExplainedItem } from '../../contract/periods/outstanding-items.ts';
import type {
  PeriodDetail,
  PeriodHistoryEntry,
  PeriodRow,
  SigningRemark,
} from '../../contract/periods/periods.ts';
import {
  formatSigningKey,
  periodActionLabels,
  RECEIPT_NOTE,
  SIGNING_KEYS_NOTE,
} from '../../domain/labels/periods.ts';
import { findLastSignOff } from '../../domain/periods/last-sign-off.ts';
import { createReceiptQrCode, formatQrCodeText } from '../../domain/qr-code/index.ts';
import { formatCount, formatMoney, formatNumber } from '../output/format-values.ts';
import { createCountColumn, createMoneyColumn, type TableColumn } from '../output/table.ts';
import type { TextLines } from '../output/terminal-text.ts';

export const periodColumns: TableColumn<PeriodRow>[] = [
  { header: 'period', cell: ({ period }) => period },
  { header: 'state', cell: ({ state, suspended }) => (suspended === null ? state : `${state} (suspended)`) },
  { header: 'prepared by', cell: ({ submitted }) => submitted?.name, minWidth: 8 },
  { header: 'reviewed by', cell: ({ reviewed }) => formatReviewer(reviewed), minWidth: 8 },
  { header: 'closed', cell: ({ closed }) => closed?.at },
  createCountColumn('changes', ({ state, sign_off_changes }) =>
    state === 'closed' ? sign_off_changes.count : null,
  ),
];

const formatReviewer = (reviewed: PeriodRow['reviewed']): string | undefined =>
  reviewed === null || reviewed.self_review === null ? reviewed?.name : `${reviewed.name} (self-review)`;

export const signOffChangeColumns: TableColumn<SignOffChange>[] = [
  { header: 'period', cell: ({ period }) => period },
  { header: 'change', cell: ({ text }) => text, minWidth: 30 },
  createMoneyColumn('amount', ({ amount_in_cents }) => amount_in_cents),
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'detected', cell: ({ detected_at }) => detected_at },
  { header: 'detected by', cell: ({ detected_by }) => detected_by.action },
  { header: 'posted in', cell: ({ posted_in }) => posted_in },
];

export const broughtForwardItemColumns: TableColumn<BroughtForwardItem>[] = [
  { header: 'item', cell: ({ key }) => key },
  { header: 'dated', cell: ({ dated_on }) => dated_on },
  { header: 'age (days)', cell: ({ age_days }) => age_days, align: 'right' },
  createMoneyColumn('amount', ({ amount_in_cents }) => amount_in_cents),
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'description', cell: ({ text }) => text, minWidth: 16 },
  { header: 'outstanding since', cell: ({ brought_forward_from }) => brought_forward_from },
  { header: 'explanation', cell: ({ current }) => current?.explanation, minWidth: 10 },
  { header: 'cleared on', cell: ({ cleared }) => cleared?.on },
];

/** Formats a period with its status, remaining work and history. */
export function formatPeriodDetail(period: PeriodDetail): TextLines {
  const { progress, remarks, history, state, version } = period;
  const { open, accepted } = progress.exceptions;
  const lastSigned = findLastSignOff(history);
  return [
    `${period.period} is ${state}${version > 0 ? ` (closed ${formatCount(version, 'time')})` : ''}.`,
    `   ${formatResult(progress)}`,
    `   Exceptions: ${formatNumber(open)} open, ${formatNumber(accepted)} accepted. Matches to decide: ${formatNumber(progress.proposals)}.`,
    `   Outstanding: ${formatCount(progress.outstanding, 'item')}, ${formatNumber(progress.unexplained)} unexplained, ${formatNumber(progress.brought_forward)} brought forward.`,
    state === 'closed' && `   Changes since sign-off: ${formatChangeTotals(period.sign_off_changes)}`,
    remarks.map((remark) => `   ${formatRemark(remark)}`),
    '',
    history.map((entry) => [formatHistoryEntry(entry), entry.statements.map(formatStatement)]),
    `   Receipt: ${history.at(-1)?.receipt}`,
    lastSigned !== undefined && formatQrCodeText(createReceiptQrCode(lastSigned.receipt)),
    '',
    RECEIPT_NOTE,
    SIGNING_KEYS_NOTE,
  ];
}

function formatResult({ explained, immaterial }: PeriodDetail['progress']): string {
  if (!explained) return 'There are unexplained items.';
  return immaterial > 0
    ? `Every difference and item is explained, or passed as immaterial (${formatCount(immaterial, 'schedule')}).`
    : 'Every schedule foots. There are no unexplained items.';
}

function formatRemark({ kind, message, requires }: SigningRemark): string {
  if (kind === 'damaged') return `! ${message}`;
  const prefixes = { fix: 'Required first: ', comment: 'Comment required: ', nothing: '' };
  return prefixes[requires] + message;
}

function formatChangeTotals({ count: rows, sums }: PeriodRow['sign_off_changes']): string {
  if (rows === 0) return 'none.';
  const amounts = sums.map(({ currency, amount_in_cents }) => `${formatMoney(amount_in_cents)} ${currency}`);
  return `${formatCount(rows, 'row')}, ${amounts.join(', ')}.`;
}

function formatHistoryEntry(entry: PeriodHistoryEntry): string {
  const { at, action, name, user, text, is_self_review, key, about, seq } = entry;
  const subject = about === null ? '' : ` (${about.figure}, comment ${about.comment ?? seq})`;
  const person = name === user ? name : `${name} (user ${user})`;
  return `   ${at}  ${periodActionLabels[action]}${subject}${is_self_review ? ' (self-review)' : ''} by ${person}${key === null ? '' : `, key ${formatSigningKey(key)}`}${text === null ? '' : `: ${text}`}`;
}

const formatStatement = ({ text, confirmed }: PeriodHistoryEntry['statements'][number]): string =>
  `      ${confirmed ? 'Confirmed' : 'Not confirmed'}: ${text}`;

/** Formats the digests stored when a period was closed. */
export function formatClosedFigures({ period, version, rows, rules, ...closing }: ClosedFigures): TextLines {
  const reopened = closing.reopened_at === null ? '' : `, reopened at ${closing.reopened_at}`;
  const rulesOff = rules.filter(({ enabled }) => !enabled).length;
  return [
    `${period}, closing ${version}, closed at ${closing.closed_at} with Tieout ${closing.app_version}${reopened}.`,
    `   ${closing.from === null ? 'Rows' : `Rows from ${closing.from}`} to ${closing.until}.`,
    rows.map(
      ({ kind, count, sha256 }) => `   ${kind.padEnd(10)} ${formatNumber(count).padStart(9)}  ${sha256}`,
    ),
    closing.lists.map(
      ({ list, count, sha256 }) => `   list ${list}  ${formatCount(count, 'row')}  ${sha256}`,
    ),
    closing.files.map(({ name, sha256 }) => `   file ${name}  ${sha256}`),
    `   ${formatCount(rules.length, 'rule')}, ${formatNumber(rulesOff)} turned off.`,
    `   Figures  ${closing.figures}`,
    `   Digest   ${closing.sha256}`,
  ];
}

export function formatExplainedItem({ key, current, brought_forward_from }: ExplainedItem): string {
  const { category, owner, explanation, expected_on } = current ?? {};
  const parts = [category, owner, explanation, expected_on && `expected ${expected_on}`];
  const since = brought_forward_from === null ? '' : ` (brought forward since ${brought_forward_from})`;
  return `${key}${since}: ${parts.filter((part) => part != null).join('; ')}`;
}
