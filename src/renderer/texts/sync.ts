import { syncPartLabels } from '../../domain/labels/sync.ts';
import { commonFieldTitles } from './common-titles.ts';
import { formatCount, formatCountWithNoun } from './numbers.ts';

export const syncTexts = {
  title: 'Sync',
  start: 'Sync now',
  startPart: (part: string) => `Sync only ${part === 'PDFs' ? part : part.toLowerCase()}`,
  startMore: 'More sync options',
  full: 'Run full sync',
  fullHint:
    'Reads every record from the service again and compares it with the stored copy. This takes as long as the first sync.',
  cancel: 'Cancel sync',
  runsAlready: 'A sync is already running.',
  noneRuns: 'No sync is running.',
  started: 'Sync started.',
  parts: syncPartLabels,
  storedData: 'Stored data',
  columns: {
    part: 'Part',
    stored: 'Stored',
    newest: 'Latest record',
    complete: 'Last complete sync',
    state: 'Status',
  },
  storedOf: (stored: number, expected: number) => `${formatCount(stored)} of ${formatCount(expected)}`,
  /** Number of stored allocation histories, one per subscription component. */
  histories: (stored: string, one: boolean) => `${stored} ${one ? 'history' : 'histories'}`,
  complete: 'Complete',
  incomplete: 'Incomplete',
  empty: 'No data',
  onDemand: 'Downloaded on demand',
  missing: (count: number) => `${formatCount(count)} missing`,
  problemCount: (count: number) => formatCountWithNoun(count, 'problem'),
  summary: {
    complete: 'All records from the service are stored.',
    since: (day: string) =>
      `All records from the service are stored, except webhooks created before ${day}, which were excluded.`,
    read: 'All records from the service are stored, except the records listed under Problems.',
    pdfs: 'All records from the service are stored, except the PDFs listed under Problems.',
    offline: 'The service does not respond. All data from the last sync is available.',
    offlineIncomplete: 'The service does not respond, and some data is missing.',
    failedComplete: 'The last sync failed. Earlier data is unchanged.',
    never: 'Not synced yet.',
    canceled: 'Some data is missing because the last sync was canceled.',
    interrupted:
      'Some data is missing because the last sync was interrupted, for example because Tieout was closed.',
    failed: 'Some data is missing because the last sync failed.',
    unread: 'Some data is missing because the service failed for the records listed under Problems.',
    incomplete: 'Some data is missing.',
    lagging: 'Data is complete as of each part’s last sync.',
  },
  next: {
    first: 'The first sync downloads all data. You can cancel it at any time. The next sync resumes it.',
    complete: 'The next sync reads only new and possibly changed records.',
    resumes: 'The next sync resumes where this one stopped. Stored data is not downloaded again.',
    key: 'Replace the API key. The next sync then resumes where this one stopped.',
    later: (at: string) =>
      `The service accepts no requests before ${at}. The next sync resumes where this one stopped.`,
    lagging: 'The next sync reads new records of all parts.',
    unread: 'The next sync retries these records and reads new ones.',
    pdfs: 'To retry these PDFs, choose “Sync only PDFs” under “More sync options”. Other syncs read only new records.',
    since:
      'To download the excluded webhooks, choose “Run full sync” under “More sync options”. Other syncs read only new records.',
  },
  automatic: 'Automatic sync',
  automaticChoices: {
    never: 'Off',
    back: 'When the service is available again',
    often: 'Also every 15 minutes',
  },
  triggers: {
    person: 'Choose “Sync now” to start it.',
    answer: 'It starts automatically when the service responds.',
    clock: (at: string) => `It starts automatically at ${at}.`,
    soon: 'It starts automatically in a moment.',
    schedule: 'That process runs the scheduled syncs. You can still choose “Sync now”.',
    others: 'It starts automatically when the other Tieout process has finished.',
  },
  running: 'Syncing',
  runningElsewhere: (pid: number) => `Running in another Tieout process on this computer (${pid}).`,
  otherProcess: (activity: string, at: string, pid: number) =>
    `Another Tieout process (${pid}) is working on this site: ${activity}, since ${at}. A sync must wait until it has finished.`,
  scheduled: (minutes: number, at: string | null, pid: number) =>
    `Another Tieout process (${pid}) syncs this site every ${minutes === 1 ? 'minute' : `${formatCount(minutes)} minutes`} (tieout sync --watch).${at === null ? '' : ` Next sync: ${at}.`}`,
  history: 'Sync history',
  notComplete: 'Incomplete',
  runColumns: { ...commonFieldTitles, rows: 'New or changed', bytes: 'Received' },
  requests: (total: number, minimum: number) => `${formatCount(total)} (minimum ${formatCount(minimum)})`,
  noRuns: 'No syncs yet.',
  problems: 'Problems',
  problemsText: 'Records that the service failed to return or that Tieout could not read',
  raw: 'Response from the service',
  moreProblems: 'Show more',
  lastSync: 'Last synced',
  lastAttempt: 'Last attempt',
};
