import {
  archiveFileStateLabels,
  archiveJobStepLabels,
  exportKindLabels,
  exportStateLabels,
} from '../../domain/labels/archive.ts';
import { commonFieldTitles } from './common-titles.ts';
import { formatBytes, formatCount, formatCountWithNoun } from './numbers.ts';

const statements = (count: number) => formatCountWithNoun(count, 'statement');

export const archiveTexts = {
  title: 'Archive',
  // Texts of the archive's commands
  export: 'Export…',
  exportThese: 'Export statements…',
  fetch: 'Download missing PDFs',
  check: 'Check files that are due',
  checkAll: 'Check all files',
  checkMore: 'Check',
  repair: 'Repair damaged files',
  verify: 'Verify export…',
  hold: 'Place hold…',
  holdThese: 'Place hold on statements…',
  retention: 'Change retention…',
  deleteExpired: 'Delete expired PDFs…',
  busy: 'Another archive job is running.',
  listEmpty: 'The list has no statements.',
  noneSelected: 'Select statements first.',
  tooManySelected: (maximum: number) =>
    `Select at most ${formatCount(maximum)} statements, or place the hold on whole subscriptions.`,
  // Labels of the key figures
  summary: 'Archive summary',
  covered: 'Closed statements with PDF',
  coveredOf: (stored: number, all: number) => `${formatCount(stored)} of ${formatCount(all)}`,
  missing: (count: number) => `${formatCount(count)} to download`,
  allStored: 'Complete',
  files: 'Files',
  versions: (count: number) => formatCountWithNoun(count, 'version'),
  documents: 'Documents from',
  to: (day: string) => `to ${day}`,
  noDocuments: 'None yet',
  read: 'Oldest check',
  someChecked: (checked: number, files: number) =>
    `${formatCount(checked)} of ${formatCount(files)} files checked`,
  allChecked: 'All files checked',
  wrongFiles: (count: number) => `${formatCount(count)} damaged or missing`,
  never: 'Not yet',
  daily: 'While the app is open, it checks one thirtieth of the files each day.',
  dueToday: (count: number) =>
    `${formatCountWithNoun(count, 'file')} ${count === 1 ? 'is' : 'are'} still due for a check today.`,
  deleted: (count: number) => `The PDFs of ${statements(count)} were deleted manually.`,
  emptyTitle: 'No PDFs in the archive yet',
  emptyText:
    'The archive stores the PDFs of closed statements unchanged, so you can read, verify and export them offline.',
  emptyNoStatements: 'Sync the statements first. Then download their PDFs.',
  // Texts of a running archive job
  running: 'Archive job',
  parts: archiveJobStepLabels,
  damagedTitle: 'Damaged or missing files',
  damagedText:
    'These files no longer match their checksums. A repair downloads them again and keeps the damaged files next to the archive.',
  damagedColumns: { file: 'File', state: 'Status', statements: 'Statements', found: 'Found' },
  states: archiveFileStateLabels,
  lost: (count: number) =>
    `${formatCountWithNoun(count, 'file')} of older versions ${count === 1 ? 'is' : 'are'} damaged or missing. The service renders only the latest version, so older ones cannot be downloaded again.`,
  copySha: 'Copy SHA-256',
  // Texts of the list of files
  filesTitle: 'Files',
  filesFind: 'Search by customer, statement or PDF text',
  filesNone: 'No file matches this search.',
  fileColumns: { ...commonFieldTitles, date: 'Date', until: 'Retain until', read: 'Downloaded' },
  unlimited: 'Unlimited',
  version: (number: number) => `Version ${formatCount(number)}`,
  stored: 'On hold',
  save: 'Save',
  saveOf: (statement: number, version: number) => `version ${version} of statement ${statement}`,
  fileMissing: 'The file is no longer in the archive.',
  more: 'Show more',
  // Texts of the list of exports
  exportsTitle: 'Exports',
  exportsNone: 'No exports yet.',
  exportColumns: {
    ...commonFieldTitles,
    made: 'Created',
    what: 'Selection',
    count: 'Statements',
    checksum: 'Checksum',
  },
  exportStates: exportStateLabels,
  problems: (count: number) => formatCountWithNoun(count, 'problem'),
  resume: 'Resume',
  resumeOf: (what: string) => `export of ${what}`,
  copyChecksum: 'Copy checksum',
  verifyThis: 'Verify',
  // Texts of retention and legal holds
  retentionTitle: 'Retention and holds',
  retentionPeriod: (years: number | null) =>
    years === null
      ? 'Documents are retained without limit.'
      : `Documents are retained for ${formatCountWithNoun(years, 'year')} from the document date. Nothing is deleted automatically.`,
  pastRetentionCount: (count: number) =>
    count === 0
      ? 'No documents are past retention.'
      : `${statements(count)} ${count === 1 ? 'is' : 'are'} past retention and not on hold.`,
  onHoldCount: (count: number) =>
    count === 0 ? 'Nothing is on hold.' : `${statements(count)} ${count === 1 ? 'is' : 'are'} on hold.`,
  holdColumns: { on: 'Applies to', since: 'Since', by: 'Placed by', reason: 'Reason' },
  onStatement: (id: number) => `Statement ${id}`,
  onSubscription: (id: number) => `All statements of subscription ${id}`,
  release: 'Release',
  releaseOf: (what: string) => `the hold on ${what}`,
  moreHolds: (count: number) =>
    `${formatCountWithNoun(count, 'more hold')} not shown. To list all holds, run: tieout archive holds`,
  back: 'Back',
  close: 'Close',
  retentionDialog: {
    title: 'Change retention',
    text: 'Retention is counted from the document date. It only determines which PDFs may be deleted. Deletion is always manual.',
    years: 'Years',
    yearsHint: '1 to 100. Leave empty to retain documents without limit.',
    yearsWrong: 'Enter a whole number from 1 to 100, or leave the field empty.',
    placeholder: 'For example: Seven years according to our 2026 policy',
    run: 'Change retention',
    done: 'Retention changed.',
  },
  holdDialog: {
    title: 'Place a legal hold',
    text: 'PDFs on hold cannot be deleted, even after their retention has expired. A hold remains until someone releases it.',
    statements: 'Statements',
    statementsHint: 'IDs, separated by commas, spaces or line breaks',
    subscriptions: 'All statements of these subscriptions',
    wrong: (word: string) => `“${word}” is not an ID.`,
    none: 'Enter at least one statement or subscription.',
    placeholder: 'For example: Tax audit for 2024',
    run: 'Place hold',
    done: (count: number) =>
      count === 0 ? 'All of them were already on hold.' : `${formatCountWithNoun(count, 'hold')} placed.`,
  },
  releaseDialog: {
    title: (what: string) => `Release the hold on ${what}?`,
    text: 'After the release, PDFs that are past retention can be deleted manually.',
    placeholder: 'For example: The audit is closed',
    run: 'Release hold',
    done: 'Hold released.',
  },
  deleteDialog: {
    title: 'Delete expired PDFs',
    text: 'Select the statements whose PDFs to delete. Deletion removes all versions and their searchable text permanently. PDFs are not downloaded again automatically. The statements themselves stay.',
    first: (shown: number, all: number) => `Showing the oldest ${formatCount(shown)} of ${formatCount(all)}.`,
    all: (count: number) => `Select all ${formatCount(count)}`,
    columns: { ...commonFieldTitles, date: 'Date', until: 'Retain until', versions: 'Versions' },
    selectStatement: (id: number) => `Delete the PDFs of statement ${id}`,
    placeholder: 'For example: Retention period of seven years has ended',
    none: 'Select at least one statement.',
    run: (count: number) => `Delete PDFs of ${statements(count)}`,
    done: (count: number, bytes: number) =>
      `Deleted the PDFs of ${statements(count)} (${formatBytes(bytes)}).`,
    empty: 'No PDFs can be deleted. All are within retention or on hold.',
  },
  exportDialog: {
    title: 'Export statements',
    what: 'Selection',
    chosen: (count: number) => `${statements(count)} selected in the list`,
    filtered: (what: string) => `All statements that match the filter: ${what}`,
    everything: 'all statements',
    from: 'From',
    until: 'To',
    dateHint: 'Closing date. Leave empty for no limit.',
    dateWrong: 'Enter the date as YYYY-MM-DD.',
    state: 'Status',
    stateChoices: { closed: 'Closed', paid: 'Paid', unpaid: 'Unpaid' },
    elsewhere:
      'For other selections, filter or select statements on the Statements screen and export them there.',
    kind: 'Format',
    kinds: exportKindLabels,
    destination: exportKindLabels,
    destinationHint: {
      folder:
        'Choose a new or empty folder. In the folder of an earlier export, only new and changed files are written.',
      zip: 'Tieout writes to a temporary file and renames it when the export is complete.',
    },
    destinationMissing: 'Choose a destination.',
    choose: 'Choose…',
    template: 'File name template',
    templateHint:
      'Fields: {closed}, {opened}, {settled}, {customer}, {organization}, {subscription}, {id}. Use “/” for subfolders.',
    sample: 'Sample file names',
    noSample: 'No statement matches.',
    merged: 'Also combine the PDFs into volumes of up to 500 with an outline',
    replace: 'Replace the ZIP file if it exists',
    preview: 'Preview',
    frozen: 'The selection is fixed. Later changes to statements do not affect this export.',
    facts: {
      statements: 'Statements',
      bytes: 'Size',
      free: 'Free space',
      to: 'Destination',
      without: 'Without PDF',
    },
    without: (count: number) => `${formatCount(count)}, listed in the index only`,
    tooLittle: 'The disk does not have enough free space.',
    run: 'Export',
    done: 'Export complete.',
    doneProblems: 'Export written with problems.',
    results: {
      written: 'PDFs written',
      kept: 'Unchanged',
      earlier: 'From earlier exports',
      damaged: 'Damaged, not exported',
      problems: 'Problems found by verification',
      checksum: 'Checksum',
    },
    checksumHint:
      'The checksum covers every byte of the export. Record it where you keep track of the export.',
    stopped: 'Export stopped. Files written so far are intact. Resume it from the list of exports.',
  },
  folderBrowser: {
    title: 'Browse folders',
    up: 'Parent folder',
    openFolder: (name: string) => `Open ${name}`,
    useFolder: 'Use this folder',
    chooseFile: (name: string) => `Choose ${name}`,
    free: (bytes: number) => `${formatBytes(bytes)} free`,
    more: (count: number) => `${formatCount(count)} more not shown.`,
    empty: 'This folder has no subfolders.',
  },
  verifyDialog: {
    title: 'Verify an export or evidence pack',
    text: 'Reads every byte and compares it with its checksum. In an evidence pack, also verifies the audit log, the signatures and the figures. No other data is needed.',
    receipt: 'Receipt you stored earlier',
    receiptHint: 'Optional. Proves that nothing in the audit log was changed up to this receipt.',
    review: 'Review…',
    auditLog: 'Audit log',
    timeStamp: 'Time stamp',
    logIntact: (entries: number, proven: number | null) =>
      `Intact: ${formatCountWithNoun(entries, 'entry', 'entries')}.${proven === null ? '' : ` The receipt proves that entries 1–${proven} are unchanged.`}`,
    path: 'Folder or ZIP file',
    run: 'Verify',
    reading: 'Verifying…',
    intact: (files: number, bytes: number) =>
      `Intact: ${formatCountWithNoun(files, 'file')}, ${formatBytes(bytes)}. All checksums match.`,
    wrong: (count: number, files: number) =>
      `${formatCountWithNoun(count, 'problem')} found in ${formatCountWithNoun(files, 'file')}.`,
    columns: { path: 'File', what: 'Problem' },
    more: (count: number) => `${formatCount(count)} more not shown.`,
  },
} as const;
