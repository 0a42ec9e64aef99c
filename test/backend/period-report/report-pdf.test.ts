import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, test } from 'vitest';
import { renderReportPdf } from '../../../src/backend/period-report/report-pdf.ts';
import type { ReportSource } from '../../../src/backend/period-report/report-source.ts';
import type { OutstandingItem, Schedule, Workpaper } from '../../../src/contract/index.ts';
import {
  buildSchedule,
  DEFAULT_TICK_MARKS,
  FigureSums,
  workpaperScheduleDefinitions,
} from '../../../src/domain/workpaper/index.ts';

const HUGE = -900_719_925_474_099;
const NAMES = [
  '株式会社サンプル決済照合テスト',
  'Ελληνική Εταιρεία',
  'ООО Ромашка',
  `Wolken${'kratzer'.repeat(40)}`,
];

function workpaper(currencies: readonly string[], title: string): Workpaper {
  const sums = new FigureSums();
  sums.add('S2.payments', '', HUGE);
  sums.add('S3.sent', '', -HUGE);
  const empty = { count: 0, amount_in_cents: 0, unexplained: 0 };
  return {
    head: {
      site: 'acme',
      title,
      base_url: 'https://acme.example.com',
      period: { period: '2026-10', first: '2026-10-01', last: '2026-10-31' },
      as_at: '2026-10-31',
      since: '2026-10-01',
      state: 'none',
      signatures: [
        {
          role: 'prepared',
          user: NAMES[0]!,
          at: '2026-11-02T10:00:00.000Z',
          text: null,
          self_review: false,
          key: 'c3'.repeat(32),
          statements: [{ text: 'I counted it.', confirmed: true }],
          receipt: 'b2'.repeat(32),
        },
      ],
      app_version: 'test',
      audit: { entries: 0, head: null },
      made_at: '2026-11-02T10:00:00.000Z',
    },
    sections: currencies.map((currency, at) => ({
      currency,
      schedules: workpaperScheduleDefinitions
        .slice(at === 0 ? 0 : 1)
        .map((each) => ({ ...buildSchedule(each, sums, new Map()), materiality: null }) as Schedule),
      aging: [{ from_days: 0, to_days: null, ...empty }],
      outstanding: empty,
      adjustments: [],
    })),
    exceptions: { open: 0, accepted: 0, at_stake_in_cents: 0, by_rule: [] },
    matches: { count: 0 },
    qualifications: [],
    explained: true,
    legend: [...DEFAULT_TICK_MARKS],
    digest: 'ab'.repeat(32),
  };
}

function* items(count: number): Generator<OutstandingItem> {
  for (let id = 1; id <= count; id++) {
    yield {
      key: `payment:${id}`,
      schedule: 'S2',
      figure: 'S2.open',
      currency: 'USD',
      amount_in_cents: HUGE,
      dated_on: '2026-10-05',
      age_days: 26,
      bucket: 1,
      text: NAMES[id % NAMES.length]!,
      category: null,
      owner: null,
      explanation: null,
      expected_on: null,
      brought_forward_from: null,
      cleared_on: null,
      explained: false,
    };
  }
}

/** Returns the text of each page as a PDF reader extracts it. */
async function readPages(
  count: number,
  currencies = ['USD'],
  title = NAMES.join(' '),
): Promise<{ pages: string[]; told: number }> {
  const none = () => [];
  const source: ReportSource = {
    workpaper: workpaper(currencies, title),
    checklist: none,
    figure_comments: none,
    flux: none,
    bank_statements: none,
    ledger_imports: none,
    journal: none,
    outstanding: () => items(count),
    customers: none,
    deferred: none,
    adjustments: none,
    exceptions: none,
    matches: none,
    ipe_figures: none,
    ipe_sources: none,
    ipe_requests: none,
    changes: none,
    audit: none,
  };
  const fragments: Uint8Array[] = [];
  const renderSteps = renderReportPdf(source);
  for (;;) {
    const step = await renderSteps.next();
    if (!step.done) {
      fragments.push(step.value);
      continue;
    }
    const document = await getDocument({ data: new Uint8Array(Buffer.concat(fragments)), verbosity: 0 })
      .promise;
    const pages: string[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const { items: texts } = await (await document.getPage(number)).getTextContent();
      pages.push(texts.map((item) => ('str' in item ? item.str : '')).join(''));
    }
    return { pages, told: step.value };
  }
}

describe('the PDF', () => {
  test('numbers its pages and marks empty lists', async () => {
    const { pages, told } = await readPages(0, ['USD', 'EUR']);
    expect(told).toBe(pages.length);
    for (const [at, text] of pages.entries()) expect(text).toContain(`Page ${at + 1} of ${pages.length}`);
    expect(pages.join('')).toContain('Nothing is outstanding.');
    // Billing has only the site's currency.
    expect(
      pages.filter((text) => /S[123] (Billing|Processor|Bank), (USD|EUR)/.test(text)).length,
    ).toBeGreaterThanOrEqual(5);
    expect(pages.join('')).not.toContain('S1 Billing, EUR');
  });

  test('names the section once per page: in the title, then in the header', async () => {
    const { pages } = await readPages(200, ['USD'], 'Acme');
    const countOccurrences = (text: string, page = '') => page.split(text).length - 1;
    // The name is once in the header of every page and once as the title of the cover.
    expect(pages.map((page) => countOccurrences('Reconciliation of Acme', page))).toEqual([
      2,
      ...pages.slice(1).map(() => 1),
    ]);
    for (const title of ['S1 Billing, USD', 'Outstanding items'])
      for (const page of pages) expect(countOccurrences(title, page), title).toBeLessThan(2);
    expect(pages.filter((page) => page.includes('Outstanding items')).length).toBeGreaterThan(2);
  });

  test('prints many rows with names in any script and unbroken amounts', async () => {
    const { pages, told } = await readPages(1200);
    expect(told).toBe(pages.length);
    const text = pages.join('');
    for (const name of NAMES.slice(0, 4)) expect(text).toContain(name);
    expect(text.match(/-9,007,199,254,740\.99/g)?.length).toBeGreaterThan(1200);
    expect(text).toContain('payment:1200');
    expect(pages.at(-1)).toContain(`Page ${pages.length} of ${pages.length}`);
  });
});
