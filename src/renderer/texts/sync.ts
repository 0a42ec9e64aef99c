import { formatCount, formatCountWithNoun } from './numbers.ts';

export const syncTexts = {
  title: 'Sync',
  start: 'Sync now',
  startPart: (part: string) => `Sync ${part.toLowerCase().replace('pdf', 'PDF')} only`,
  startMore: 'More ways to sync',
  full: 'Read everything again and compare',
  fullHint: 'Every record is read once more. It takes as long as the first sync.',
  cancel: 'Cancel the sync',
  runsAlready: 'A sync is running already.',
  noneRuns: 'No sync is running.',
  started: 'The sync has started.',
  parts: { webhooks: 'Webhooks', statements: 'Statements', allocations: 'Allocations', pdf: 'PDFs' },
  what: 'What is held',
  columns: { part: 'Part', stored: 'Stored', newest: 'Newest', complete: 'Last complete', state: 'State' },
  storedOf: (stored: number, expected: number) => `${formatCount(stored)} of ${formatCount(expected)}`,
  /** Allocations are counted by their histories: of one component on one subscription each. */
  histories: (stored: string, one: boolean) => `${stored} ${one ? 'history' : 'histories'}`,
  complete: 'Complete',
  incomplete: 'Incomplete',
  empty: 'Nothing held',
  onDemand: 'Fetched when opened',
  missing: (count: number) => `${formatCount(count)} missing`,
  problemCount: (count: number) => formatCountWithNoun(count, 'problem'),
  summary: {
    complete: 'Everything the service has is held here.',
    since: (day: string) =>
      `Everything the service has is held here, but for webhooks from before ${day}: they were left out.`,
    read: 'Everything the service has is held here. What could not be read of it is named under Problems.',
    pdfs: 'Everything the service has is held here, but for the PDFs named under Problems.',
    away: 'The service does not answer now. Everything it had at the last sync is held here.',
    awayIncomplete: 'The service does not answer now, and some of what it has is missing here.',
    failedComplete: 'The last sync failed. What was held before it is here as it was.',
    never: 'Nothing was synced yet.',
    canceled: 'Some of it is missing: the last sync was canceled before its end.',
    interrupted: 'Some of it is missing: the last sync was cut off, as when Tieout is closed.',
    failed: 'Some of it is missing: the last sync failed before its end.',
    unread: 'Some of it is missing: the service failed on the records named under Problems.',
    incomplete: 'Some of it is missing.',
    behind: 'Everything the service had when each part was last asked for is held here.',
  },
  lacks: {
    sentence: (what: string) => `Missing: ${what}.`,
    all: (part: string) => `all ${part}`,
    some: (count: number, of: number, part: string) =>
      `${formatCount(count)} of ${formatCount(of)} ${part === 'allocations' ? 'allocation histories' : part}`,
    webhooks: (stretches: string, more: number) =>
      `webhooks ${stretches}${more > 0 ? ` and ${formatCountWithNoun(more, 'more stretch', 'more stretches')}` : ''}`,
    everyDay: 'of all days',
    on: (day: string) => `of ${day}`,
    upTo: (day: string) => `up to ${day}`,
    fromOn: (day: string) => `from ${day} on`,
    fromTo: (first: string, last: string) => `from ${first} to ${last}`,
    setAside: (day: string) =>
      `The copy held before was damaged. It was set aside on ${day}, and what it held is fetched again.`,
    gone: (count: number) =>
      count === 1
        ? '1 statement is no longer at the service; it is kept here.'
        : `${formatCount(count)} statements are no longer at the service; they are kept here.`,
    keptFromBefore: (day: string) =>
      `Webhooks from before ${day} are no longer at the service; those held are kept here.`,
  },
  next: {
    first: 'The first sync brings everything. It can be stopped at any time, and goes on from there.',
    complete: 'The next sync asks only for what is new and what may have changed.',
    goesOn: 'The next sync goes on where this one ended; nothing that is held is fetched again.',
    key: 'Replace the key; the next sync then goes on where this one ended.',
    later: (at: string) =>
      `The service asks for no requests before ${at}. The next sync goes on where this one ended.`,
    behind: 'The next sync asks all parts for what is new.',
    unread: 'The next sync asks again for just these, and for what is new.',
    pdfs: 'For these PDFs, choose “Sync PDFs only” under “More ways to sync”. The next sync asks only for what is new.',
    since:
      'For those too, choose “Read everything again and compare” under “More ways to sync”. The next sync asks only for what is new.',
  },
  automatic: 'Sync by itself',
  automaticChoices: { never: 'Never', back: 'When the service is back', often: 'Also every 15 minutes' },
  begins: {
    person: 'Begins when you press Sync now.',
    answer: 'Begins by itself as soon as the service answers.',
    clock: (at: string) => `Begins by itself at ${at}.`,
    soon: 'Begins by itself in a moment.',
    schedule: 'This window leaves that to it; Sync now works all the same.',
    others: 'Begins by itself when the other Tieout is done.',
  },
  running: 'Syncing',
  runningElsewhere: (pid: number) => `In another Tieout on this computer (process ${pid}).`,
  elsewhere: (what: string, at: string, pid: number) =>
    `Another Tieout on this computer is at work on this site: ${what}, since ${at} (process ${pid}). A sync has to wait for it.`,
  scheduled: (minutes: number, at: string | null, pid: number) =>
    `Another Tieout on this computer syncs this site every ${minutes === 1 ? 'minute' : `${formatCount(minutes)} minutes`}: “tieout sync --watch” (process ${pid}).${at === null ? '' : ` Its next sync begins at ${at}.`}`,
  history: 'Runs',
  notComplete: 'Not complete',
  runColumns: {
    started: 'Started',
    state: 'State',
    took: 'Took',
    requests: 'Requests',
    rows: 'New or changed',
    bytes: 'Received',
  },
  requests: (total: number, minimum: number) => `${formatCount(total)} (least ${formatCount(minimum)})`,
  noRuns: 'No run yet.',
  problems: 'Problems',
  problemsText: 'What the service failed on, or gave in a way that cannot be read.',
  raw: 'As the service sent it',
  moreProblems: 'Show more',
  lastSync: 'Last sync',
  lastTry: 'Last tried',
};

export const jobTexts = {
  tray: 'Jobs',
  none: 'No jobs yet.',
  recent: 'Recent jobs',
  cancel: (kind: string) => `Cancel ${kind}`,
  remaining: (left: string) => `about ${left} left`,
  progressOf: (done: number, total: number | null, estimated = false) =>
    total === null
      ? formatCount(done)
      : `${formatCount(done)} of ${estimated ? 'about ' : ''}${formatCount(total)}`,
  failed: (count: number) => `${formatCount(count)} failed`,
  states: {
    running: 'Running',
    paused: 'Paused',
    done: 'Done',
    failed: 'Failed',
    canceled: 'Canceled',
    interrupted: 'Interrupted',
  },
  kinds: {
    sync: 'Sync',
    replay: 'Replay',
    archive: 'Archive',
    import: 'Import',
    match: 'Matching',
    check: 'Checks',
    report: 'Report',
    period: 'Period',
    pack: 'Evidence pack',
    allocations: 'Allocations',
  },
  waits: {
    limited: (at: string | null) => `The service asks to wait${at === null ? '' : ` until ${at}`}`,
    away: 'The service does not answer; it is asked again',
    failing: 'The service answers with errors; it is asked again',
  },
  idle: 'Nothing is running',
  others: (count: number) => `+${formatCount(count)}`,
};

export const errorMessageTexts = {
  details: 'Details for support',
  retry: 'Try again',
  retryIn: (seconds: number) => `Try again in ${seconds} s`,
  waiting: (seconds: number) => `The service asked to wait ${seconds} s more.`,
  openChecks: 'Open checks',
};
