import type { DefineCommand } from './runtime/action-runner.ts';

export interface RegisteredCommand {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  /** Imports the module that defines the command. Called only for the command that was entered. */
  readonly load: () => Promise<DefineCommand>;
}

const start = 'Get started:';
const data = 'Connect and sync:';
const view = 'View stored data:';
const work = 'Check, reconcile and report:';
const maintain = 'Maintain and troubleshoot:';

export const commandRegistry: readonly RegisteredCommand[] = [
  {
    name: 'demo',
    summary: 'set up the demo site, sync it and open the app on it',
    group: start,
    load: async () => (await import('./commands/app/demo-command.ts')).defineDemoCommand,
  },
  {
    name: 'serve',
    summary: 'open the app in the browser',
    group: start,
    load: async () => (await import('./commands/app/serve-command.ts')).defineServeCommand,
  },
  {
    name: 'site',
    summary: 'manage sites: add, list, test, update, key, remove',
    group: data,
    load: async () => (await import('./commands/sites/site-commands.ts')).defineSiteCommands,
  },
  {
    name: 'sync',
    summary: 'download new and changed records from the billing service',
    group: data,
    load: async () => (await import('./commands/sites/sync-command.ts')).defineSyncCommand,
  },
  {
    name: 'status',
    summary: 'show what is stored, how current it is and what is missing',
    group: data,
    load: async () => (await import('./commands/sites/status-command.ts')).defineStatusCommand,
  },
  {
    name: 'webhooks',
    summary: 'view the webhook log: list, show, errors, outages',
    group: view,
    load: async () => (await import('./commands/records/webhook-commands.ts')).defineWebhookCommands,
  },
  {
    name: 'subscriptions',
    summary: 'view subscriptions: list, show',
    group: view,
    load: async () =>
      (await import('./commands/records/subscription-commands.ts')).defineSubscriptionCommands,
  },
  {
    name: 'statements',
    summary: 'view statements: list, show, pdf',
    group: view,
    load: async () => (await import('./commands/records/statement-commands.ts')).defineStatementCommands,
  },
  {
    name: 'transactions',
    summary: 'view the transactions on statements: list',
    group: view,
    load: async () => (await import('./commands/records/transaction-commands.ts')).defineTransactionCommands,
  },
  {
    name: 'allocations',
    summary: 'view and change component quantities: list, track, create, import, drafts, send',
    group: view,
    load: async () =>
      (await import('./commands/allocations/allocation-commands.ts')).defineAllocationCommands,
  },
  {
    name: 'check',
    summary: 'check the billing records against all rules',
    group: work,
    load: async () => (await import('./commands/checks/check-command.ts')).defineCheckCommand,
  },
  {
    name: 'exceptions',
    summary: 'review exceptions: list, show, accept, reopen, assign, comment',
    group: work,
    load: async () => (await import('./commands/checks/exception-commands.ts')).defineExceptionCommands,
  },
  {
    name: 'bank',
    summary: 'import bank and processor files: import, accounts, profiles, lines, remove-import',
    group: work,
    load: async () => (await import('./commands/bank/bank-commands.ts')).defineBankCommands,
  },
  {
    name: 'match',
    summary: 'match bank lines to payments: run, list, confirm, decline, undo, make, payouts',
    group: work,
    load: async () => (await import('./commands/match/match-commands.ts')).defineMatchCommands,
  },
  {
    name: 'replay',
    summary: 'resend webhooks: plan, run, status, pause, report, retry-failures',
    group: work,
    load: async () => (await import('./commands/replay/replay-commands.ts')).defineReplayCommands,
  },
  {
    name: 'archive',
    summary: 'manage statement PDFs: fetch, export, check, repair, retention, hold, delete',
    group: work,
    load: async () => (await import('./commands/archive/archive-commands.ts')).defineArchiveCommands,
  },
  {
    name: 'period',
    summary: 'prepare and sign off periods: open, submit, review, close, reopen, changes',
    group: work,
    load: async () => (await import('./commands/period/period-commands.ts')).definePeriodCommands,
  },
  {
    name: 'report',
    summary: 'show the schedules of a period, or write them as PDF, XLSX, CSV or JSON',
    group: work,
    load: async () => (await import('./commands/reports/report-command.ts')).defineReportCommand,
  },
  {
    name: 'pack',
    summary: 'write the evidence pack of a period as a ZIP file',
    group: work,
    load: async () => (await import('./commands/reports/pack-command.ts')).definePackCommand,
  },
  {
    name: 'verify',
    summary: 'verify an archive export or evidence pack without the app’s data',
    group: maintain,
    load: async () => (await import('./commands/reports/verify-command.ts')).defineVerifyCommand,
  },
  {
    name: 'jobs',
    summary: 'view long-running jobs: list',
    group: maintain,
    load: async () => (await import('./commands/app/job-commands.ts')).defineJobCommands,
  },
  {
    name: 'audit',
    summary: 'view and verify the audit log: list, verify',
    group: maintain,
    load: async () => (await import('./commands/books/audit-commands.ts')).defineAuditCommands,
  },
  {
    name: 'backup',
    summary: 'back up the books, or list backups',
    group: maintain,
    load: async () => (await import('./commands/books/backup-command.ts')).defineBackupCommand,
  },
  {
    name: 'restore',
    summary: 'restore the books from a backup, or decisions from an evidence pack',
    group: maintain,
    load: async () => (await import('./commands/books/restore-command.ts')).defineRestoreCommand,
  },
  {
    name: 'doctor',
    summary: 'diagnose problems with the installation, data and connections',
    group: maintain,
    load: async () => (await import('./commands/app/doctor-command.ts')).defineDoctorCommand,
  },
  {
    name: 'sandbox',
    summary: 'run the embedded billing service for testing',
    group: maintain,
    load: async () => (await import('./commands/app/sandbox-command.ts')).defineSandboxCommand,
  },
];
