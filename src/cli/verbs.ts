import type { Command } from 'commander';
import type { Act } from './act.ts';

/** Gives a verb's command its options, subcommands and actions. */
export type Define = (command: Command, act: Act) => void;

export interface Verb {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  /** Loaded only when the verb is typed. */
  readonly load: () => Promise<{ define: Define }>;
}

const start = 'Start here:';
const fetch = 'Connect and fetch:';
const read = 'Look at what is held:';
const act = 'Act:';
const rest = 'Look after it:';

export const verbs: readonly Verb[] = [
  {
    name: 'demo',
    summary: 'make the embedded demo site, sync it, and open the app on it',
    group: start,
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'serve',
    summary: 'open the app in the browser',
    group: start,
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'site',
    summary: 'add, list, test, change and remove sites',
    group: fetch,
    load: () => import('./commands/site.ts'),
  },
  {
    name: 'sync',
    summary: 'bring the local copy up to date',
    group: fetch,
    load: () => import('./commands/sync.ts'),
  },
  {
    name: 'status',
    summary: 'what is held, how fresh it is, what is incomplete',
    group: fetch,
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'webhooks',
    summary: 'the webhook log: list, show, errors, outages',
    group: read,
    load: () => import('./commands/webhooks.ts'),
  },
  {
    name: 'subscriptions',
    summary: 'subscriptions: list, show',
    group: read,
    load: () => import('./commands/subscriptions.ts'),
  },
  {
    name: 'statements',
    summary: 'statements: list, show, pdf',
    group: read,
    load: () => import('./commands/statements.ts'),
  },
  {
    name: 'transactions',
    summary: 'transactions of the statements: list',
    group: read,
    load: () => import('./commands/transactions.ts'),
  },
  {
    name: 'allocations',
    summary: 'component quantities: list, track, create, import, drafts, send',
    group: read,
    load: () => import('./commands/allocations.ts'),
  },
  {
    name: 'check',
    summary: 'prove the billing service’s own records; see the rules, switch one off',
    group: act,
    load: () => import('./commands/check.ts'),
  },
  {
    name: 'exceptions',
    summary: 'what the checks found: list, show, accept, reopen, assign, comment',
    group: act,
    load: () => import('./commands/exceptions.ts'),
  },
  {
    name: 'bank',
    summary: 'files of banks and processors: import, accounts, profiles, lines, remove-import',
    group: act,
    load: () => import('./commands/bank.ts'),
  },
  {
    name: 'match',
    summary: 'match lines and payments: run, list, confirm, decline, undo, make, payouts, rules',
    group: act,
    load: () => import('./commands/match.ts'),
  },
  {
    name: 'replay',
    summary: 'send webhooks again: plan, run, status, pause, report, retry-failures',
    group: act,
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'archive',
    summary: 'statement PDFs: status, fetch, export, check, mend, hold, retention, delete',
    group: act,
    load: () => import('./commands/archive.ts'),
  },
  {
    name: 'period',
    summary: 'months of the books: open, submit, review, close, reopen; what was signed, what changed',
    group: act,
    load: () => import('./commands/period.ts'),
  },
  {
    name: 'report',
    summary: 'the schedules of a month, shown or as PDF, XLSX, CSV, JSON',
    group: act,
    load: () => import('./commands/report.ts'),
  },
  {
    name: 'pack',
    summary: 'the evidence of a month as one ZIP file that proves itself',
    group: act,
    load: () => import('./commands/pack.ts'),
  },
  {
    name: 'verify',
    summary: 'check an export or an evidence pack, without the app’s data',
    group: rest,
    load: () => import('./commands/verify.ts'),
  },
  {
    name: 'jobs',
    summary: 'long work of this home: list',
    group: rest,
    load: () => import('./commands/jobs.ts'),
  },
  {
    name: 'audit',
    summary: 'who did what here and why: list, verify',
    group: rest,
    load: () => import('./commands/audit.ts'),
  },
  {
    name: 'backup',
    summary: 'copies of the books: make one, list',
    group: rest,
    load: () => import('./commands/backup.ts'),
  },
  {
    name: 'restore',
    summary: 'put back a copy of the books, or the decisions of a pack, with the difference shown first',
    group: rest,
    load: () => import('./commands/restore.ts'),
  },
  {
    name: 'doctor',
    summary: 'what works here, and what to do about what does not',
    group: rest,
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'sandbox',
    summary: 'run the embedded billing service, to try things on',
    group: rest,
    load: () => import('./commands/sandbox.ts'),
  },
];
