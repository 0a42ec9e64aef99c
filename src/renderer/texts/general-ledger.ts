import {
  journalFormatLabels,
  journalStateLabels,
  ledgerAreaLabels,
  ledgerFileKindLabels,
} from '../../domain/labels/general-ledger.ts';
import { formatDate } from './date-times.ts';
import { formatCountWithNoun } from './numbers.ts';

const formatRows = (count: number) => formatCountWithNoun(count, 'row');
const formatEntries = (count: number) => formatCountWithNoun(count, 'entry', 'entries');

export const generalLedgerTexts = {
  areas: ledgerAreaLabels,
  noArea: 'Not mapped',
  closed: 'The period is closed.',

  files: {
    title: 'Ledger files',
    lead: 'Import the trial balance or account activity from your accounting system. Schedule S4 compares it with the other schedules.',
    empty: 'No ledger file has been imported yet.',
    kinds: ledgerFileKindLabels,
    columns: { file: 'File', kind: 'Type', days: 'Dates', rows: 'Rows', debit: 'Debits', credit: 'Credits' },
    removed: 'Removed',
    removedBy: (user: string, reason: string) => `Removed by ${user}: ${reason}`,
    remove: 'Remove',
    removeTitle: (file: string) => `Remove ${file}`,
    removeText: 'Its rows no longer count in schedule S4. The file and its entry in this list remain.',
    removePlaceholder: 'For example: wrong month exported',
    removeDone: (rows: number) => `${formatRows(rows)} removed`,
  },

  import: {
    button: 'Import ledger file',
    title: 'Import ledger file',
    text: 'Choose a CSV or XLSX file from QuickBooks, Xero, NetSuite, DATEV or Sage. You see a preview before anything is stored.',
    chooseFile: 'Choose file',
    otherFile: 'Choose another file',
    submit: (rows: number) => `Import ${formatRows(rows)}`,
    noFile: 'Choose a file first.',
    reading: 'Reading the file…',
    asOn: 'Date of the trial balance',
    summary: (dialect: string, rows: number) => `${dialect}: ${formatRows(rows)}`,
    days: (first: string, last: string) =>
      first === last ? formatDate(first) : `${formatDate(first)} – ${formatDate(last)}`,
    skipped: (rows: number) => `${formatRows(rows)} skipped: headings, totals and unreadable rows`,
    locked: (rows: number) => `${formatRows(rows)} in closed periods will not be imported`,
    sums: (debit: string, credit: string) => `Debits ${debit}, credits ${credit}`,
    replaces: (files: string) =>
      `Rows of the same accounts and dates were already imported from ${files}. Importing replaces them.`,
    problems: 'To review',
    example: (raw: string, meaning: string) => `${raw} means ${meaning}`,
    done: (rows: number, posted: number) =>
      `${formatRows(rows)} imported${posted === 0 ? '' : `, ${formatEntries(posted)} found in the file`}`,
  },

  accounts: {
    title: 'Ledger accounts',
    lead: 'Map each account once. S4 compares revenue, receivables, clearing, fees and cash. Journal entries also use the other areas.',
    empty: 'Import a ledger file, or add the accounts that journal entries use.',
    columns: { account: 'Account', name: 'Name', area: 'Area', rows: 'Rows' },
    areaOf: (account: string) => `Area of ${account}`,
    account: 'Account number',
    area: 'Area',
    name: 'Name (optional)',
    add: 'Add account',
    incomplete: 'Enter an account number and choose an area.',
  },

  journal: {
    title: 'Journal entries',
    lead: 'Proposed for the explained differences of the period. Approve them, export them, and import the ledger again after posting.',
    empty: 'No entries yet. Propose entries, or add one.',
    propose: 'Propose entries',
    proposed: (count: number) =>
      count === 0 ? 'No differences to propose entries for' : `${formatEntries(count)} in the period`,
    add: 'Add entry',
    approve: (count: number) => `Approve ${formatEntries(count)}`,
    approveOne: 'Approve',
    nothingToApprove: 'No proposed entry can be approved.',
    approved: (count: number) => `${formatEntries(count)} approved`,
    discard: 'Discard',
    discardTitle: (name: string) => `Discard ${name}`,
    discardText: 'The entry stays in the list as discarded. Its number is not used again.',
    discardPlaceholder: 'For example: already posted manually',
    discarded: 'Entry discarded',
    format: 'Export format',
    formats: journalFormatLabels,
    export: 'Export approved entries',
    exportAgain: 'Include entries exported before',
    states: journalStateLabels,
    postedOn: (day: string) => `Posted on ${formatDate(day)}`,
    reversesOn: (day: string) => `Reversed on ${formatDate(day)}`,
    repeats: (until: string | null) =>
      until === null ? 'Repeats monthly' : `Repeats monthly until ${until}`,
    nameOf: (number: string | null, id: number) => number ?? `Entry ${id}`,
    columns: {
      entry: 'Entry',
      state: 'Status',
      on: 'Date',
      account: 'Account',
      memo: 'Memo',
      debit: 'Debit',
      credit: 'Credit',
    },
  },

  entry: {
    title: 'Add journal entry',
    save: 'Add entry',
    memo: 'Memo',
    on: 'Date',
    account: (line: number) => `Account of line ${line}`,
    debit: (line: number) => `Debit of line ${line}`,
    credit: (line: number) => `Credit of line ${line}`,
    addLine: 'Add line',
    reversesOn: 'Reversing entry on (optional)',
    monthly: 'Repeat monthly',
    until: 'Last period (optional)',
    memoMissing: 'Enter a memo.',
    dateBad: 'Enter dates as YYYY-MM-DD.',
    untilBad: 'Enter the last period as YYYY-MM.',
    lineBad: (line: number) => `Line ${line}: enter an account and either a debit or a credit.`,
    unbalanced: (debit: string, credit: string) => `Debits of ${debit} and credits of ${credit} differ.`,
    added: 'Journal entry added',
  },
};
