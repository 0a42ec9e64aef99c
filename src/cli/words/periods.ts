import type { CarriedItem, ExplainedItem } from '../../contract/period-items.ts';
import type { DriftRow, PeriodSeal } from '../../contract/period-seals.ts';
import type { PeriodDetail, PeriodEntry, PeriodRemark, PeriodRow } from '../../contract/periods.ts';
import { count, counted, money } from '../output/figures.ts';
import type { Column } from '../output/table.ts';

const NAMES =
  'Names are as given by whoever used this computer: assertions, no proof. The user of the computer is recorded beside them.';

export const periodColumns: Column<PeriodRow>[] = [
  { header: 'period', cell: ({ period }) => period },
  { header: 'state', cell: ({ state }) => state },
  { header: 'prepared by', cell: ({ submitted }) => submitted?.name, least: 8 },
  { header: 'reviewed by', cell: ({ reviewed }) => reviewerOf(reviewed), least: 8 },
  { header: 'closed', cell: ({ closed }) => closed?.at },
  { header: 'drift', cell: ({ state, drift }) => (state === 'closed' ? drift.count : null), align: 'right' },
];

const reviewerOf = (reviewed: PeriodRow['reviewed']): string | undefined =>
  reviewed === null || reviewed.self_review === null ? reviewed?.name : `${reviewed.name} (self-review)`;

export const driftColumns: Column<DriftRow>[] = [
  { header: 'period', cell: ({ period }) => period },
  { header: 'what changed', cell: ({ text }) => text, least: 30 },
  { header: 'amount', cell: ({ amount_in_cents }) => money(amount_in_cents), align: 'right' },
  { header: '', cell: ({ currency }) => currency },
  { header: 'noticed', cell: ({ noticed_at }) => noticed_at },
  { header: 'by', cell: ({ noticed_by }) => noticed_by.what },
  { header: 'lands in', cell: ({ lands_in }) => lands_in },
];

export const carriedColumns: Column<CarriedItem>[] = [
  { header: 'item', cell: ({ key }) => key },
  { header: 'dated', cell: ({ dated_on }) => dated_on },
  { header: 'days', cell: ({ age_days }) => age_days, align: 'right' },
  { header: 'amount', cell: ({ amount_in_cents }) => money(amount_in_cents), align: 'right' },
  { header: '', cell: ({ currency }) => currency },
  { header: 'what', cell: ({ text }) => text, least: 16 },
  { header: 'since', cell: ({ carried_from }) => carried_from },
  { header: 'explained', cell: ({ said }) => said?.explanation, least: 10 },
  { header: 'cleared', cell: ({ cleared }) => cleared?.on },
];

/** A period for reading: its state, what it still asks for, its history. */
export function detailLines(period: PeriodDetail): string[] {
  const { progress, remarks, history, drift } = period;
  const { open, accepted } = progress.exceptions;
  return [
    `${period.period} is ${period.state}${period.version > 0 ? `; closed ${counted(period.version, 'time')}` : ''}.`,
    `   ${progress.explained ? 'Every schedule foots, and nothing is unexplained.' : 'Not everything is explained.'}`,
    `   Exceptions: ${count(open)} open, ${count(accepted)} accepted. Proposed matches that wait: ${count(progress.proposals)}.`,
    `   Outstanding: ${counted(progress.outstanding, 'item')}, ${count(progress.unexplained)} not explained; ${count(progress.brought_forward)} brought forward.`,
    ...(period.state === 'closed' ? [`   Drift since sign-off: ${driftWords(drift)}`] : []),
    ...remarks.map((remark) => `   ${remarkWords(remark)}`),
    '',
    ...history.map(entryLine),
    '',
    NAMES,
  ];
}

function remarkWords({ what, message, asks }: PeriodRemark): string {
  if (what === 'damaged') return `! ${message}`;
  return `${asks === 'mending' ? 'First: ' : asks === 'comment' ? 'Asks for a comment: ' : ''}${message}`;
}

function driftWords({ count: rows, sums }: PeriodRow['drift']): string {
  if (rows === 0) return 'none.';
  const amounts = sums.map(({ currency, amount_in_cents }) => `${money(amount_in_cents)} ${currency}`);
  return `${counted(rows, 'row')}, ${amounts.join(', ')}.`;
}

function entryLine({ at, what, name, user, text, is_self_review }: PeriodEntry): string {
  const who = name === user ? name : `${name} (user ${user})`;
  return `   ${at}  ${what}${is_self_review ? ' in self-review' : ''} by ${who}${text === null ? '' : `: ${text}`}`;
}

export function sealLines(seal: PeriodSeal): string[] {
  return [
    `${seal.period}, closing ${seal.version}, sealed at ${seal.sealed_at} with Tieout ${seal.app_version}${seal.reopened_at === null ? '' : `, reopened at ${seal.reopened_at}`}.`,
    `   ${seal.from === null ? 'From the beginning' : `From ${seal.from}`} up to ${seal.until}.`,
    ...seal.rows.map(
      ({ kind, count: rows, sha256 }) => `   ${kind.padEnd(10)} ${count(rows).padStart(9)}  ${sha256}`,
    ),
    ...seal.lists.map(
      ({ list, count: rows, sha256 }) => `   list ${list}  ${counted(rows, 'row')}  ${sha256}`,
    ),
    ...seal.files.map(({ name, sha256 }) => `   file ${name}  ${sha256}`),
    `   ${counted(seal.rules.length, 'rule')} in force, ${count(seal.rules.filter(({ enabled }) => !enabled).length)} off.`,
    `   Figures  ${seal.figures}`,
    `   Seal     ${seal.sha256}`,
  ];
}

export function itemLines({ key, said, carried_from }: ExplainedItem): string[] {
  const parts = [
    said?.category,
    said?.owner,
    said?.explanation,
    said?.expected_on && `expected ${said.expected_on}`,
  ];
  const since = carried_from === null ? '' : ` (carried since ${carried_from})`;
  return [`${key}${since}: ${parts.filter((part) => part !== null && part !== undefined).join('; ')}`];
}
