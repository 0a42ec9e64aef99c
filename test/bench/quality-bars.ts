/** A quality bar and the measures that show it. */
export interface QualityBar {
  readonly title: string;
  /** Benchmark that prints the measures, or the command that shows the bar instead. */
  readonly shownBy: string;
  /** Names of the measures. Null if no benchmark measures the bar. */
  readonly measures: RegExp | null;
  readonly compared: 'value' | 'ratio';
  /** The limit is a maximum, unless it is a minimum. */
  readonly limit: number;
  readonly isMinimum?: true;
}

const byRatio = (shownBy: string, title: string, measures: RegExp, limit: number): QualityBar => ({
  ...{ shownBy, title, measures, limit },
  compared: 'ratio',
});

const byValue = (shownBy: string, title: string, measures: RegExp, limit: number): QualityBar => ({
  ...{ shownBy, title, measures, limit },
  compared: 'value',
});

const byCommand = (command: string, title: string): QualityBar => ({
  ...{ shownBy: command, title, measures: null, limit: 0 },
  compared: 'value',
});

/** The quality bars of speed and size, in the order of the report. A bar with several measures is met by its worst one. */
export const qualityBars: readonly QualityBar[] = [
  byRatio('sync', 'Requests for webhooks, of the minimum', /^sync requests: (\d+ )?webhooks/, 1.05),
  byRatio(
    'sync',
    'Requests for statement ids and PDFs, of the minimum',
    /^sync requests: (statement ids|PDFs)/,
    1,
  ),
  byRatio('sync', 'Requests for statement bodies, of the minimum', /^sync requests: statement bodies/, 1.05),
  byValue('sync', 'Requests of a sync if nothing has changed', /^sync requests: nothing changed/, 3),
  {
    ...byRatio('sync', 'Sync throughput, of the plain pipeline', /^sync throughput/, 0.9),
    isMinimum: true,
  },
  byValue('sync', 'Memory of a sync, MB', /^sync memory/, 200),
  byValue('browse', 'Page of webhooks, p95, ms', /^browse\.page$/, 5),
  byValue('browse', 'Count of webhooks, p95, ms', /^browse\.count$/, 100),
  byValue('browse', 'Search by word, id or phrase, p95, ms', /^search\.(word|id|phrase|two words)/, 20),
  byValue('browse', 'Search by prefix, p95, ms', /^search\.prefix/, 100),
  byValue('browse', 'Bytes per webhook row, indexes included', /^store\.size$/, 700),
  byRatio('match', 'Matching, of three plain passes', /^match \d+ .* three plain passes$/, 2),
  byValue('match', 'Memory of matching, MB', /^matching \d+ payments: memory/, 300),
  byRatio('match', 'Matching of ten times the rows', /^match \d+ payments, against/, 12),
  byValue('match', 'Memory of matching ten times the rows, MB', /^matching ten times/, 1024),
  byValue('match', 'Confirmed matches that are wrong', /wrong among the confirmed$/, 0),
  byValue('match-app', 'Matching one new line through the app, ms', /one new line$/, 50),
  byValue('match-app', 'Matching again if nothing has changed, ms', /nothing changed, beside/, 50),
  byRatio('match-app', 'Matching through the app, of the engine alone', /of the engine alone$/, 2),
  byRatio('check', 'Check of a site, of one scan', /against one scan$/, 3),
  byRatio('check', 'First check of a site, of one scan', /^the very first time/, 3),
  byRatio('window-start', 'First useful paint, of an empty page', /first useful paint$/, 1.5),
  byValue('review', 'Input to paint, p95, ms', /key to the next one painted, 95th/, 50),
  byValue('bank-import', 'Memory of a bank import, MB', /memory of writer and reader, against idle$/, 200),
  byValue('match-app', 'Memory of import and matching, MB', /^app, .* memory of writer and reader$/, 200),
  byValue('workpaper', 'Delay of other readers by a workpaper, ms', /the longest that others waited/, 50),
  byRatio('start', 'Reading commands, of `node -e 0`', /start to end$/, 4),
  byRatio('export', 'Export of PDFs, of hashing and copying', /hashing and copying the same bytes$/, 2),
  byValue('export', 'Memory of an export, MB', /memory of the writer beside/, 200),
  {
    ...byRatio('local-delivery', 'Local delivery, of the plain pipeline', /^local delivery rate/, 0.8),
    isMinimum: true,
  },
  byCommand('npm run corpus -- --worlds 1000 --lines 3100', 'Wrong matches on labelled worlds'),
  byCommand('time npm test', 'Duration of the tests, 8 minutes and 11 CPU minutes'),
];

/** Arguments of the benchmarks at the sizes that the bars name. Without them, smaller sizes run. */
export const fullSizes: Readonly<Record<string, readonly (readonly string[])[]>> = {
  sync: [
    ['10000', '500', '0'],
    ['100000', '10000', '1000000'],
    ['1000000', '0', '0'],
  ],
  browse: [['1000000']],
  'local-delivery': [['100000']],
};
