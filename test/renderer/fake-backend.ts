import { call, implement } from '@orpc/server';
import {
  type AuditEntry,
  type BackendLink,
  backendContract,
  type ChangeEvent,
  createClosableLink,
  createContractError,
  type ExceptionDetail,
  type ExceptionEntry,
  type ExceptionFilter,
  type Job,
  type ReplayItem,
  type ReplayJob,
  type ReplayPlan,
  type Site,
  type SyncRun,
  type WebhookDetail,
  type WebhookFilter,
} from '../../src/contract/index.ts';
import { listMonthsBetween, suggestMonthToClose } from '../../src/domain/ledger/index.ts';
import type { BackendSession } from '../../src/renderer/backend-client/connect-backend.ts';
import {
  countByStatus,
  fakeExceptions,
  fakeRules,
  getActivityFigures,
  listActivity,
  matchesException,
  sumListedExceptions,
  summarizeChecks,
} from './fake/checks.ts';
import { getArrayMarks, getArrayPage, sortRows } from './fake/lists.ts';
import { createReplayItems, createSampleReplay, sampleReplayStates } from './fake/replays.ts';
import { makeRows } from './fake/rows.ts';

/**
 * In-memory backend with sample data, to view screens and test the window. It implements the contract but stores nothing.
 */
export interface FakeBackend extends BackendSession {
  /** Ends the connection, like a host that exits. */
  end(): void;
  change(change: ChangeEvent): void;
}

interface FakeBackendOptions {
  readonly webhooks?: number;
  readonly statements?: number;
  /** If true, every request to the billing service fails. */
  readonly offline?: boolean;
  readonly empty?: boolean;
  /** If true, the list of replays contains a replay in each state. */
  readonly replays?: boolean;
  readonly pdf?: () => Promise<Uint8Array<ArrayBuffer>>;
}

const SITE = 'demo';

export function createFakeBackend(options: FakeBackendOptions = {}): FakeBackend {
  const now = Date.now();
  const at = (ago: number) => new Date(now - ago * 60_000).toISOString();
  const rows = makeRows(
    7,
    now,
    options.empty ? 0 : (options.webhooks ?? 5_204),
    options.empty ? 0 : (options.statements ?? 720),
  );
  const settings: Record<string, unknown> = {};
  const listeners = new Set<(change: ChangeEvent) => void>();
  const change = (made: ChangeEvent) => {
    for (const listener of listeners) listener(made);
  };
  const sites: Site[] = [
    createSite(SITE, 'Acme Subscriptions', true, at(9_000), options.empty ? null : at(14)),
    createSite('northwind', 'Northwind GmbH', false, at(90_000), at(2_000)),
  ];
  const jobs: Job[] = options.empty ? [] : [createSyncJob('j-1', at(15), at(14))];
  const replays = new Map<string, { job: ReplayJob; items: ReplayItem[] }>();
  for (const job of options.replays ? sampleReplayStates.map((pose) => createSampleReplay(pose)) : []) {
    replays.set(job.job, { job, items: createReplayItems(job, rows.webhooks) });
  }
  const plans = new Map<string, { plan: ReplayPlan; ids: number[] }>();
  const exceptions = fakeExceptions(rows, at(14));
  const audit: AuditEntry[] = [];
  const ended = new AbortController();

  const requireService = () => {
    if (!options.offline) return;
    throw createContractError({
      code: 'network',
      message: 'The service at acme.example.com cannot be reached: connection refused.',
      hint: 'Check the network and the address, then try again.',
      retryable: true,
    });
  };
  const requireRow = <T>(row: T | undefined, what: string): T => {
    if (row !== undefined) return row;
    throw createContractError({ code: 'not_found', message: `${what} is not stored.`, retryable: false });
  };
  const webhooksBy = (filter: WebhookFilter) =>
    rows.webhooks.filter((row) => matchesWebhookFilter(row, filter));
  const os = implement(backendContract);

  const router = {
    sites: {
      list: os.sites.list.handler(() => sites),
      get: os.sites.get.handler(({ input }) =>
        requireRow(
          sites.find((known) => known.site === input.site),
          'The site',
        ),
      ),
      add: os.sites.add.handler(({ input }) => {
        requireService();
        if (input.api_key !== 'good') throw createKeyError();
        const made = createSite(
          input.title.toLowerCase().replace(/\W+/g, '-'),
          input.title,
          false,
          at(0),
          null,
        );
        sites.push({
          ...made,
          base_url: input.base_url,
          currency: input.currency ?? 'USD',
          format: input.format,
        });
        change({ site: null, topics: ['sites'] });
        return made;
      }),
      test: os.sites.test.handler(({ input }) => {
        requireService();
        if ('api_key' in input && input.api_key !== 'good') throw createKeyError();
        return {
          ok: true as const,
          ms: 84,
          message: 'The service answered with its newest webhook.',
          utc_offset: '-05:00',
          base_url: 'https://acme.example.com',
          service_details: {
            bills_by: 'statements' as const,
            currencies: ['USD'],
            is_test: false,
            region: null,
          },
        };
      }),
      update: os.sites.update.handler(({ input }) =>
        requireRow(
          sites.find((known) => known.site === input.site),
          'The site',
        ),
      ),
      replaceKey: os.sites.replaceKey.handler(({ input }) =>
        requireRow(
          sites.find((known) => known.site === input.site),
          'The site',
        ),
      ),
      remove: os.sites.remove.handler(({ input }) => {
        sites.splice(
          sites.findIndex((known) => known.site === input.site),
          1,
        );
        change({ site: null, topics: ['sites'] });
        return { set_aside: `removed/${input.site}` };
      }),
    },
    webhooks: {
      list: os.webhooks.list.handler(({ input }) =>
        getArrayPage(sortRows(webhooksBy(input.filter), input.sort.by, input.sort.direction), input),
      ),
      marks: os.webhooks.marks.handler(({ input }) => getArrayMarks(webhooksBy(input.filter), input.every)),
      get: os.webhooks.get.handler(({ input }) =>
        requireRow(
          rows.webhooks.find(({ id }) => id === input.id),
          'The webhook',
        ),
      ),
      facets: os.webhooks.facets.handler(() => {
        const count = (delivery: string) => rows.webhooks.filter((row) => row.delivery === delivery).length;
        const events = [...new Set(rows.webhooks.map(({ event }) => event))].sort();
        return {
          total: rows.webhooks.length,
          delivery: { accepted: count('accepted'), failed: count('failed'), pending: count('pending') },
          events: events.map((event) => ({
            event,
            count: rows.webhooks.filter((row) => row.event === event).length,
            failed: rows.webhooks.filter((row) => row.event === event && row.delivery === 'failed').length,
          })),
          first_day: rows.webhooks[0]?.created_at?.slice(0, 10) ?? null,
          last_day: rows.webhooks.at(-1)?.created_at?.slice(0, 10) ?? null,
        };
      }),
      errors: os.webhooks.errors.handler(({ input }) => {
        const failed = webhooksBy(input.filter).filter((row) => row.last_error !== null);
        const groups = Map.groupBy(failed, (row) => row.last_error ?? '');
        return [...groups].map(([error, group]) => ({
          error,
          count: group.length,
          example: error,
          first_at: group[0]?.created_at ?? null,
          last_at: group.at(-1)?.created_at ?? null,
          urls: [...Map.groupBy(group, (row) => row.last_sent_url ?? '')].map(([url, of]) => ({
            url,
            count: of.length,
          })),
        }));
      }),
      outages: os.webhooks.outages.handler(() => {
        const failed = rows.webhooks.filter((row) => row.delivery !== 'accepted');
        const [from, to] = [failed[0]?.created_at, failed.at(-1)?.created_at];
        if (!from || !to) return { outages: [], more: 0 };
        const outage = {
          id: 'o-1',
          kind: 'failures' as const,
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          url: failed[0]?.last_sent_url ?? '',
          accepted: 0,
          failed: failed.filter((row) => row.delivery === 'failed').length,
          pending: failed.filter((row) => row.delivery === 'pending').length,
          error: failed.find((row) => row.last_error !== null)?.last_error ?? null,
          expected: null,
          ongoing: false,
          filter: { status: 'failed' as const },
        };
        return { outages: [outage], more: 0 };
      }),
      timeline: os.webhooks.timeline.handler(({ input }) => {
        const taken = webhooksBy(input.filter).filter((row) => row.created_at !== null);
        const times = taken.map((row) => Date.parse(row.created_at ?? ''));
        if (times.length === 0) return { from: null, to: null, bucket_ms: 0, buckets: [] };
        const from = Math.min(...times);
        const bucket_ms = Math.ceil((Math.max(...times) + 1 - from) / input.buckets);
        const buckets = Array.from({ length: input.buckets }, (_, index) => ({
          at: new Date(from + index * bucket_ms).toISOString(),
          accepted: 0,
          failed: 0,
          pending: 0,
        }));
        taken.forEach((row, index) => {
          const bucket = buckets[Math.floor(((times[index] ?? from) - from) / bucket_ms)];
          if (bucket) bucket[row.delivery]++;
        });
        const to = new Date(from + input.buckets * bucket_ms).toISOString();
        return { from: new Date(from).toISOString(), to, bucket_ms, buckets };
      }),
    },
    statements: {
      list: os.statements.list.handler(({ input }) => {
        const all = statementsBy(input.filter);
        const sum = (field: 'charges_in_cents' | 'payments_in_cents') =>
          all.reduce((total, row) => total + row[field], 0);
        const page = getArrayPage(sortRows(all, input.sort.by, input.sort.direction), input);
        return {
          ...page,
          rows: page.rows.map((row) => ({ ...row, passage: null })),
          sums: input.after
            ? null
            : {
                charges_in_cents: sum('charges_in_cents'),
                payments_in_cents: sum('payments_in_cents'),
              },
        };
      }),
      marks: os.statements.marks.handler(({ input }) =>
        getArrayMarks(statementsBy(input.filter), input.every),
      ),
      get: os.statements.get.handler(({ input }) =>
        requireRow(
          rows.statements.find(({ id }) => id === input.id),
          'The statement',
        ),
      ),
      facets: os.statements.facets.handler(() => {
        const count = (state: string) => rows.statements.filter((row) => row.state === state).length;
        const pdf_stored = rows.statements.filter((row) => row.pdf_stored).length;
        return {
          total: rows.statements.length,
          open: count('open'),
          unpaid: count('unpaid'),
          paid: count('paid'),
          pdf_stored,
        };
      }),
      pdf: os.statements.pdf.handler(({ input }) =>
        rows.statements.find(({ id }) => id === input.id)?.pdf_stored
          ? storedPdf()
          : { stored: false as const },
      ),
      fetchPdf: os.statements.fetchPdf.handler(() => {
        requireService();
        return storedPdf();
      }),
    },
    transactions: {
      list: os.transactions.list.handler(({ input }) => ({
        ...getArrayPage(
          rows.statements.flatMap((statement) => statement.transactions),
          input,
        ),
        sums: null,
      })),
    },
    subscriptions: {
      list: os.subscriptions.list.handler(({ input }) =>
        getArrayPage(
          sortRows(subscriptionsBy(input.filter.search), input.sort.by, input.sort.direction),
          input,
        ),
      ),
      marks: os.subscriptions.marks.handler(({ input }) =>
        getArrayMarks(subscriptionsBy(input.filter.search), input.every),
      ),
      get: os.subscriptions.get.handler(({ input }) =>
        requireRow(
          rows.subscriptions.find((row) => row.subscription_id === input.subscription_id),
          'The subscription',
        ),
      ),
      activity: os.subscriptions.activity.handler(({ input }) => {
        const { subscription_id: id, kinds, direction } = input;
        const all = listActivity(rows, exceptions, id);
        const shown = all.filter(({ kind }) => kinds?.includes(kind) ?? true);
        return {
          ...getArrayPage(direction === 'asc' ? shown : shown.toReversed(), input),
          figures: input.after ? null : getActivityFigures(rows, exceptions, id, all),
        };
      }),
    },
    check: {
      start: os.check.start.handler(() => ({ job: 'j-1' })),
      rules: os.check.rules.handler(() =>
        fakeRules().map((rule) => ({
          ...rule,
          ...countByStatus(exceptions.filter((row) => row.rule === rule.rule)),
        })),
      ),
      switch: os.check.switch.handler(({ input }) => ({
        rule: requireRow(
          fakeRules().find(({ rule }) => rule === input.rule),
          'The rule',
        ),
        job: null,
      })),
      months: os.check.months.handler(() => {
        const open = exceptions.filter(({ status }) => status === 'open');
        const months = listMonthsBetween('2026-04-01', '2026-10-31').map((period) => ({
          period,
          open: open.filter(({ dated_on }) => dated_on?.startsWith(period)).length,
        }));
        return { months, due: suggestMonthToClose(months, '2026-10-31') };
      }),
      summary: os.check.summary.handler(({ input }) => {
        const failed = rows.webhooks.filter((row) => row.delivery === 'failed').length;
        return summarizeChecks(
          input.site,
          input.period,
          exceptions,
          {
            complete: true,
            oldest_part: 'webhooks',
            parts: [
              createPartStatus('webhooks', rows.webhooks.length, rows.webhooks.length, null),
              createPartStatus('statements', rows.statements.length, rows.statements.length, null),
            ],
          },
          { total: rows.webhooks.length, not_accepted: failed, failed, pending: 0 },
          { at: options.empty ? null : at(14), full_at: at(14), waiting: 0, running: null, stale: null },
        );
      }),
    },
    exceptions: {
      list: os.exceptions.list.handler(({ input }) => {
        const all = exceptionsBy(input.filter);
        return { ...getArrayPage(all, input), sums: input.after ? null : sumListedExceptions(all) };
      }),
      marks: os.exceptions.marks.handler(({ input }) =>
        getArrayMarks(exceptionsBy(input.filter), input.every),
      ),
      get: os.exceptions.get.handler(({ input }) => exceptionNamed(input.id)),
      assignees: os.exceptions.assignees.handler(() =>
        [...Map.groupBy(exceptions, (row) => row.assigned)].flatMap(([assigned, group]) =>
          assigned === null ? [] : [{ assigned, open: group.length }],
        ),
      ),
      assign: os.exceptions.assign.handler(({ input }) =>
        decide(input.ids, { assigned: input.assigned }, 'assigned', input.assigned),
      ),
      accept: os.exceptions.accept.handler(({ input }) =>
        decide(input.ids, { status: 'accepted' }, 'accepted', input.reason),
      ),
      reopen: os.exceptions.reopen.handler(({ input }) =>
        decide(input.ids, { status: 'open' }, 'reopened', input.reason),
      ),
    },
    audit: {
      list: os.audit.list.handler(({ input }) => getArrayPage(audit.toReversed(), input)),
      verify: os.audit.verify.handler(() => ({
        ok: true,
        entries: audit.length,
        broken_at: null,
        known_hash_seq: null,
        reason: null,
        head: audit.at(-1)?.hash ?? null,
        receipt: { entries: audit.length, hash: 'a1'.repeat(32) },
        differences: [],
        time_stamps: [],
      })),
    },
    allocations: {
      components: os.allocations.components.handler(({ input }) =>
        getArrayPage(sortRows(componentsBy(input.filter), input.sort.by, input.sort.direction), input),
      ),
      componentMarks: os.allocations.componentMarks.handler(({ input }) =>
        getArrayMarks(componentsBy(input.filter), input.every),
      ),
      list: os.allocations.list.handler(({ input }) =>
        getArrayPage(rows.histories.get(`${input.subscription_id}-${input.component_id}`) ?? [], input),
      ),
      track: os.allocations.track.handler(({ input }) => {
        requireService();
        return requireRow(
          rows.components.find(
            (row) => row.subscription_id === input.subscription_id && row.component_id === input.component_id,
          ),
          'The component',
        );
      }),
    },
    sync: {
      start: os.sync.start.handler(() => {
        requireService();
        const job: Job = {
          ...createSyncJob(`j-${jobs.length + 1}`, new Date().toISOString(), null),
          state: 'running',
        };
        jobs.unshift(job);
        change({ site: SITE, topics: ['jobs', 'sync'] });
        return { job: job.id };
      }),
      status: os.sync.status.handler(({ input }) => ({
        site: input.site,
        complete: !options.empty,
        synced_at: options.empty ? null : at(14),
        running: jobs.find(({ state }) => state === 'running')?.id ?? null,
        last: options.empty
          ? null
          : { at: at(14), ok: true, error: null, state: 'done' as const, complete: true },
        parts: [
          createPartStatus(
            'webhooks',
            rows.webhooks.length,
            rows.webhooks.length,
            rows.webhooks.at(-1)?.created_at ?? null,
          ),
          createPartStatus(
            'statements',
            rows.statements.length,
            rows.statements.length,
            rows.statements.at(-1)?.opened_at ?? null,
          ),
          {
            ...createPartStatus(
              'allocations',
              rows.components.length,
              rows.components.length,
              rows.components[0]?.last_at ?? null,
            ),
            problems: options.empty ? 0 : 1,
          },
          createPartStatus(
            'pdf',
            rows.statements.filter((row) => row.pdf_stored).length,
            rows.statements.length,
            null,
          ),
        ],
      })),
      runs: os.sync.runs.handler(() =>
        jobs.map((job) => ({
          job: job.id,
          started_at: job.started_at,
          ended_at: job.ended_at,
          state: job.state === 'paused' ? ('running' as const) : job.state,
          requests: {
            total: 64,
            minimum: 62,
            by_kind: { 'list webhooks': 27, 'list statements': 30, 'list allocations': 7 },
          },
          rows: { webhooks: 5_204, statements: 720, allocations: 1_911 },
          bytes: 18_442_100,
          seconds: 12.4,
          complete: true,
          problems: [],
          error: null,
        })),
      ),
      run: os.sync.run.handler(() => requireRow<SyncRun>(undefined, 'The run')),
      problems: os.sync.problems.handler(({ input }) =>
        getArrayPage(
          [
            {
              id: 1,
              part: 'allocations' as const,
              location: 'subscription 41312, component 7703, page 1',
              reason: 'quantity: expected a whole number or a decimal text, found "many".',
              raw: '{"allocation":{"component_id":7703,"quantity":"many"}}',
              seen_at: at(14),
            },
          ],
          input,
        ),
      ),
    },
    replay: {
      plan: os.replay.plan.handler(({ input }) => {
        const chosen =
          'filter' in input.selection
            ? webhooksBy(input.selection.filter)
            : webhooksAmong(input.selection.ids);
        const taken = input.include_accepted ? chosen : chosen.filter((row) => row.delivery !== 'accepted');
        return planOf(taken, chosen.length - taken.length);
      }),
      plans: os.replay.plans.handler(() => [...plans.values()].map(({ plan }) => plan)),
      run: os.replay.run.handler(({ input }) => {
        requireService();
        return runPlan(requireRow(plans.get(input.plan), 'The plan'), input.mode);
      }),
      list: os.replay.list.handler(() => [...replays.values()].map(({ job }) => job).reverse()),
      get: os.replay.get.handler(({ input }) => requireRow(replays.get(input.job), 'The replay').job),
      items: os.replay.items.handler(({ input }) => getArrayPage(replayItemsBy(input), input)),
      itemMarks: os.replay.itemMarks.handler(({ input }) => getArrayMarks(replayItemsBy(input), input.every)),
      planItems: os.replay.planItems.handler(({ input }) =>
        getArrayPage(
          webhooksAmong(requireRow(plans.get(input.plan), 'The plan').ids).map((row) => ({
            id: row.id,
            event: row.event,
            created_at: row.created_at ?? '',
            last_sent_at: row.last_sent_at,
            last_error: row.last_error,
            subscription_id: row.subscription_id,
            superseded_by: null,
          })),
          input,
        ),
      ),
      errors: os.replay.errors.handler(({ input }) => {
        const failed = requireRow(replays.get(input.job), 'The replay').items.filter(
          ({ outcome }) => outcome === 'failed',
        );
        return [...Map.groupBy(failed, ({ last_error }) => last_error ?? '')].map(([error, of]) => ({
          error,
          count: of.length,
          example: error,
        }));
      }),
      report: os.replay.report.handler(({ input }) => ({
        blob: 'b',
        name: `replay-${input.job}.${input.format}`,
        type: input.format === 'csv' ? 'text/csv' : 'application/json',
        bytes: 1,
      })),
      pause: os.replay.pause.handler(({ input }) =>
        setReplay(input.job, { state: 'paused', paused_by: 'user', reason: 'Paused.' }),
      ),
      resume: os.replay.resume.handler(({ input }) =>
        setReplay(input.job, { state: 'running', paused_by: null, reason: null }),
      ),
      cancel: os.replay.cancel.handler(({ input }) =>
        setReplay(input.job, { state: 'canceled', paused_by: null, ended_at: at(0), live: null }),
      ),
      retryFailures: os.replay.retryFailures.handler(({ input }) => {
        const failed = requireRow(replays.get(input.job), 'The replay').items.filter(
          ({ outcome }) => outcome !== 'accepted',
        );
        return planOf(webhooksAmong(failed.map(({ id }) => id)), 0);
      }),
    },
    jobs: {
      list: os.jobs.list.handler(() => jobs),
      get: os.jobs.get.handler(({ input }) =>
        requireRow(
          jobs.find(({ id }) => id === input.job),
          'The job',
        ),
      ),
      watch: os.jobs.watch.handler(async function* ({ input, signal }) {
        for (let done = 0; !signal?.aborted; done += 311) {
          const job = requireRow(
            jobs.find(({ id }) => id === input.job),
            'The job',
          );
          if (job.state === 'running') advance(job, done);
          yield { ...job };
          if (job.state !== 'running') return;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }),
      cancel: os.jobs.cancel.handler(({ input }) => {
        const job = requireRow(
          jobs.find(({ id }) => id === input.job),
          'The job',
        );
        Object.assign(job, {
          state: 'canceled',
          ended_at: new Date().toISOString(),
          summary: 'Canceled; what was stored stays.',
        });
        change({ site: SITE, topics: ['jobs', 'sync'] });
        return job;
      }),
    },
    changes: {
      watch: os.changes.watch.handler(async function* ({ signal }) {
        const waiting: ChangeEvent[] = [];
        let wake = () => {};
        const listener = (made: ChangeEvent) => {
          waiting.push(made);
          wake();
        };
        listeners.add(listener);
        signal?.addEventListener('abort', () => wake());
        while (!signal?.aborted) {
          const next = waiting.shift();
          if (next) yield next;
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
        listeners.delete(listener);
      }),
    },
    settings: {
      all: os.settings.all.handler(() => settings as never),
      set: os.settings.set.handler(({ input }) => {
        settings[input.key] = input.value;
        return settings as never;
      }),
    },
    app: {
      about: os.app.about.handler(() => ({
        version: '0.1.0',
        home: '/home/mara/.local/share/tieout',
        node: '24.21.0',
        sqlite: '3.54.1',
        user: 'mara',
      })),
      doctor: os.app.doctor.handler(() => [
        { name: 'Keychain', ok: true, message: 'The Secret Service answers (gnome-keyring).', advice: null },
        { name: 'Databases', ok: true, message: '2 sites, 4 databases, all sound.', advice: null },
        {
          name: 'Disk',
          ok: false,
          message: '412 MB are free where the data is kept.',
          advice: 'Make room: a first sync of a large site needs about 2 GB.',
        },
        { name: 'Versions', ok: true, message: 'Node 24.21.0, SQLite 3.54.1.', advice: null },
      ]),
    },
  };

  function statementsBy(filter: {
    state?: string[] | undefined;
    subscription_id?: number | undefined;
    search?: string | undefined;
  }) {
    return rows.statements.filter(
      (row) =>
        (!filter.state || filter.state.includes(row.state)) &&
        (filter.subscription_id === undefined || row.subscription_id === filter.subscription_id) &&
        (!filter.search ||
          `${row.customer_name} ${row.id}`.toLowerCase().includes(filter.search.toLowerCase())),
    );
  }
  function subscriptionsBy(search: string | undefined) {
    return rows.subscriptions.filter(
      (row) =>
        !search || `${row.customer_name} ${row.subscription_id}`.toLowerCase().includes(search.toLowerCase()),
    );
  }
  function componentsBy(filter: {
    subscription_id?: number | undefined;
    component_id?: number | undefined;
    state?: string | undefined;
    search?: string | undefined;
  }) {
    return rows.components.filter(
      (row) =>
        (filter.subscription_id === undefined || row.subscription_id === filter.subscription_id) &&
        (filter.component_id === undefined || row.component_id === filter.component_id) &&
        (!filter.state || row.state === filter.state) &&
        (!filter.search ||
          `${row.component_name} ${row.customer_name} ${row.subscription_id}`
            .toLowerCase()
            .includes(filter.search.toLowerCase())),
    );
  }
  function exceptionsBy(filter: ExceptionFilter) {
    return exceptions.filter((row) => matchesException(row, filter));
  }
  function exceptionNamed(id: number) {
    return requireRow(
      exceptions.find((row) => row.id === id),
      'The exception',
    );
  }
  function decide(
    ids: readonly number[],
    part: Partial<ExceptionDetail>,
    what: ExceptionEntry['action'],
    text: string | null,
  ) {
    const made = ids.map(exceptionNamed);
    for (const row of made) {
      const entry = { seq: row.history.length + 1, at: at(0), user: 'mara', action: what, text, job: null };
      Object.assign(row, part, { history: [...row.history, entry] });
    }
    audit.push({
      seq: audit.length + 1,
      at: at(0),
      user: 'mara',
      action: `exceptions.${what}`,
      subject: ids.join(', '),
      reason: text,
      detail: { count: ids.length },
      hash: 'c0ffee'.repeat(10).concat('beef'),
    });
    change({ site: SITE, topics: ['exceptions', 'audit'] });
    return made;
  }
  function replayItemsBy({ job, outcome }: { job: string; outcome?: ReplayItem['outcome'][] | undefined }) {
    return requireRow(replays.get(job), 'The replay').items.filter(
      (item) => outcome?.includes(item.outcome) ?? true,
    );
  }
  function webhooksAmong(ids: readonly number[]) {
    const wanted = new Set(ids);
    return rows.webhooks.filter(({ id }) => wanted.has(id));
  }
  function storedPdf() {
    return {
      stored: true as const,
      sha256: 'a'.repeat(64),
      fetched_at: at(3_000),
      file: { blob: 'b', name: 's.pdf', type: 'application/pdf', bytes: 1 },
    };
  }
  function planOf(taken: readonly WebhookDetail[], accepted: number): ReplayPlan {
    const tally = (key: (row: WebhookDetail) => string) =>
      [...Map.groupBy(taken, key)].map(([name, group]) => [name, group.length] as const);
    const plan: ReplayPlan = {
      plan: `p-${plans.size + 1}`,
      site: SITE,
      created_at: new Date().toISOString(),
      description: `${taken.length} webhooks that were not accepted`,
      count: taken.length,
      ids_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      oldest_at: taken[0]?.created_at ?? null,
      newest_at: taken.at(-1)?.created_at ?? null,
      by_event: tally((row) => row.event).map(([event, count]) => ({ event, count })),
      by_error: tally((row) => row.last_error ?? 'no error').map(([error, count]) => ({ error, count })),
      by_day: tally((row) => row.created_at?.slice(0, 10) ?? '').map(([day, count]) => ({ day, count })),
      by_url: tally((row) => row.last_sent_url ?? '').map(([url, count]) => ({ url, count })),
      excluded: { accepted, unknown: 0, retrying: 0, unreadable: 0, unverified: 0 },
      endpoint: null,
      rates: [
        { per_second: 1, ms: 120_000 },
        { per_second: 100, ms: 30_000 },
      ],
      superseded: 0,
      largest_subscription: 1,
      retrying: 0,
      retrying_until: null,
      expected_requests: 6,
      expected: {
        safe: { requests: 14, ms: 42_000, at_once: 24, per_second: 6 },
        adaptive: { requests: 10, ms: 30_000, at_once: 96, per_second: 24 },
        fast: { requests: 8, ms: 24_000, at_once: 1000, per_second: 240 },
      },
      job: null,
    };
    plans.set(plan.plan, { plan, ids: taken.map(({ id }) => id) });
    return plan;
  }
  function runPlan({ plan, ids }: { plan: ReplayPlan; ids: number[] }, mode: ReplayJob['mode']): ReplayJob {
    const items = webhooksAmong(ids).map(
      (row): ReplayItem => ({
        id: row.id,
        event: row.event,
        outcome: 'waiting',
        sent_at: null,
        resolved_at: null,
        last_error: row.last_error,
      }),
    );
    const counts = {
      waiting: items.length,
      sending: 0,
      queued: 0,
      accepted: 0,
      failed: 0,
      refused: 0,
      unresolved: 0,
    };
    const job: ReplayJob = {
      job: `r-${replays.size + 1}`,
      site: SITE,
      plan: plan.plan,
      description: plan.description,
      state: 'running',
      reason: null,
      paused_by: null,
      mode,
      batch_size: 100,
      rate: null,
      endpoint: null,
      connections: null,
      ordered: false,
      started_at: new Date().toISOString(),
      ended_at: null,
      step: 'canary',
      counts,
      in_flight: 0,
      live: {
        at: new Date().toISOString(),
        window: 24,
        unresolved: 0,
        per_second: null,
        remaining_ms: null,
        next_poll_at: null,
        next_send_at: null,
        breaker: {
          state: 'closed',
          accepted: 0,
          failed: 0,
          probes: 0,
          max_probes: 3,
          next_probe_at: null,
        },
      },
      requests: { total: 1, minimum: plan.expected_requests },
    };
    replays.set(job.job, { job, items });
    step(job.job, 0);
    return job;
  }
  function step(id: string, next: number): void {
    const replay = requireRow(replays.get(id), 'The replay');
    if (replay.job.state === 'canceled') return;
    const size = Math.max(1, Math.ceil(replay.items.length / 12));
    if (replay.job.state === 'running') {
      for (const item of replay.items.slice(next, next + size)) {
        const bad = item.id % 29 === 0;
        const sent_at = new Date().toISOString();
        Object.assign(item, {
          outcome: bad ? 'failed' : 'accepted',
          sent_at,
          resolved_at: sent_at,
          last_error: bad ? item.last_error : null,
        });
        const row = requireRow(
          rows.webhooks.find((webhook) => webhook.id === item.id),
          'The webhook',
        );
        if (!bad)
          Object.assign(row, {
            successful: true,
            delivery: 'accepted',
            last_error: null,
            last_error_at: null,
            accepted_at: sent_at,
          });
        row.replays.unshift({ job: id, outcome: item.outcome, sent_at });
      }
      const count = (outcome: string) => replay.items.filter((item) => item.outcome === outcome).length;
      Object.assign(replay.job.counts, {
        waiting: count('waiting'),
        accepted: count('accepted'),
        failed: count('failed'),
      });
      replay.job.step = next === 0 ? 'canary' : 'ramp';
    }
    const over = replay.job.counts.waiting === 0;
    if (over) setReplay(id, { state: 'done', ended_at: new Date().toISOString(), step: 'verify' });
    change({ site: SITE, topics: ['replay', 'webhooks', 'jobs'] });
    if (!over) setTimeout(() => step(id, replay.job.state === 'running' ? next + size : next), 350);
  }
  function setReplay(id: string, part: Partial<ReplayJob>): ReplayJob {
    const replay = requireRow(replays.get(id), 'The replay');
    Object.assign(replay.job, part);
    change({ site: SITE, topics: ['replay'] });
    return { ...replay.job };
  }
  function advance(job: Job, done: number): void {
    const total = 5_204;
    job.progress = [
      {
        part: 'webhooks',
        done: Math.min(total, done),
        total,
        failed: 0,
        current: `page ${Math.ceil(done / 200)}`,
      },
      {
        part: 'statements',
        done: Math.min(720, Math.max(0, done - total)),
        total: 720,
        failed: 0,
        current: null,
      },
      { part: 'allocations', done: 0, total: null, failed: 0, current: null },
    ];
    job.rate = 3_110;
    job.remaining_ms = Math.max(0, Math.round(((total + 720 - done) / 3_110) * 1_000));
    if (done > total + 720) {
      Object.assign(job, {
        state: 'done',
        ended_at: new Date().toISOString(),
        summary: '5,204 webhooks, 720 statements.',
      });
      change({ site: SITE, topics: ['jobs', 'sync', 'webhooks', 'statements'] });
    }
  }

  const inMemory: BackendLink = {
    async call(path, input, { signal }) {
      const procedure = path.reduce<unknown>((tree, name) => (tree as Record<string, unknown>)[name], router);
      const answer = await call(procedure as never, input as never, { path, ...(signal ? { signal } : {}) });
      const isStream = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
      return isStream ? answer : structuredClone(answer);
    },
  };
  const link = createClosableLink(inMemory, ended.signal);
  return {
    windowShell: null,
    closed: ended.signal,
    reader: link,
    writer: link,
    readBlob: options.pdf ?? (() => Promise.reject(createKeyError())),
    end: () => ended.abort(),
    change,
  };
}

function matchesWebhookFilter(row: WebhookDetail, filter: WebhookFilter): boolean {
  const status = {
    successful: row.delivery === 'accepted',
    failed: row.delivery !== 'accepted',
    pending: row.delivery === 'pending',
  };
  const text = `${row.id} ${row.event} ${row.last_error ?? ''} ${row.body}`.toLowerCase();
  const day = row.created_at?.slice(0, 10) ?? '';
  return (
    (!filter.status || status[filter.status]) &&
    (!filter.event || filter.event.includes(row.event)) &&
    (!filter.error || row.last_error === filter.error) &&
    (!filter.since || day >= filter.since) &&
    (!filter.until || day <= filter.until) &&
    (filter.subscription_id === undefined || row.subscription_id === filter.subscription_id) &&
    (filter.statement_id === undefined || row.statement_id === filter.statement_id) &&
    (!filter.search || text.includes(filter.search.toLowerCase()))
  );
}

function createKeyError() {
  return createContractError({
    code: 'auth',
    message: 'The service refused the key.',
    hint: 'Check that the complete key was pasted and that it belongs to this site.',
    retryable: false,
  });
}

function createSite(
  name: string,
  title: string,
  demo: boolean,
  created: string,
  synced: string | null,
): Site {
  return {
    site: name,
    title,
    service_details: null,
    base_url: demo ? 'http://127.0.0.1:40123' : `https://${name}.example.com`,
    format: 'json',
    currency: demo ? 'USD' : 'EUR',
    demo,
    has_key: true,
    key_hint: demo ? null : '4f9c',
    is_session_key: false,
    created_at: created,
    time_zone: null,
    last_synced_at: synced,
  };
}

function createPartStatus(
  name: 'webhooks' | 'statements' | 'allocations' | 'pdf',
  stored: number,
  expected: number,
  newest: string | null,
) {
  return {
    part: name,
    stored,
    expected,
    synced_at: stored === 0 ? null : new Date(Date.now() - 14 * 60_000).toISOString(),
    newest_at: newest,
    complete: stored > 0 && stored === expected,
    problems: 0,
  };
}

function createSyncJob(id: string, started: string, ended: string | null): Job {
  return {
    id,
    site: SITE,
    kind: 'sync',
    state: 'done',
    started_at: started,
    ended_at: ended,
    progress: [],
    rate: null,
    remaining_ms: null,
    summary: ended ? '5,204 webhooks, 720 statements, 1,911 allocations; 64 requests.' : null,
    error: null,
  };
}
