import type { DefineCommand } from './runtime/cli-command.ts';

interface RegisteredCommand {
  readonly summary: string;
  /** Imports the module that defines the command. Called only for the entered command. */
  readonly load: () => Promise<DefineCommand>;
}

/** Commands by name, grouped under the headings of the help. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, RegisteredCommand>>>> = {
  'Get started:': {
    demo: {
      summary: 'set up the demo site, sync it and open the app on it',
      load: async () => (await import('./commands/app/demo-command.ts')).defineDemoCommand,
    },
    serve: {
      summary: 'open the app in the browser',
      load: async () => (await import('./commands/app/serve-command.ts')).defineServeCommand,
    },
  },
  'Connect and sync:': {
    site: {
      summary: 'manage sites: add, list, test, update, key, remove',
      load: async () => (await import('./commands/sites/site-commands.ts')).defineSiteCommands,
    },
    sync: {
      summary: 'download new and changed records from the billing service',
      load: async () => (await import('./commands/sites/sync-command.ts')).defineSyncCommand,
    },
    status: {
      summary: 'show what is stored, how current it is and what is missing',
      load: async () => (await import('./commands/sites/status-command.ts')).defineStatusCommand,
    },
  },
  'View stored data:': {
    search: {
      summary: 'search all records by words, ID or amount',
      load: async () => (await import('./commands/records/search-command.ts')).defineSearchCommand,
    },
    webhooks: {
      summary: 'view the webhook log: list, show, errors, outages, missing',
      load: async () => (await import('./commands/records/webhook-commands.ts')).defineWebhookCommands,
    },
    subscriptions: {
      summary: 'view subscriptions: list, show',
      load: async () =>
        (await import('./commands/records/subscription-commands.ts')).defineSubscriptionCommands,
    },
    statements: {
      summary: 'view statements: list, show, pdf',
      load: async () => (await import('./commands/records/statement-commands.ts')).defineStatementCommands,
    },
    transactions: {
      summary: 'view the transactions on statements: list',
      load: async () =>
        (await import('./commands/records/transaction-commands.ts')).defineTransactionCommands,
    },
    allocations: {
      summary: 'view and change component quantities: list, track, create, import, drafts, send',
      load: async () =>
        (await import('./commands/allocations/allocation-commands.ts')).defineAllocationCommands,
    },
  },
  'Check, reconcile and report:': {
    check: {
      summary: 'check the billing records against all rules',
      load: async () => (await import('./commands/checks/check-command.ts')).defineCheckCommand,
    },
    exceptions: {
      summary: 'review exceptions: list, show, accept, reopen, assign',
      load: async () => (await import('./commands/checks/exception-commands.ts')).defineExceptionCommands,
    },
    bank: {
      summary: 'import bank and processor files: import, accounts, profiles, lines, remove-import',
      load: async () => (await import('./commands/bank/bank-commands.ts')).defineBankCommands,
    },
    match: {
      summary: 'match bank lines to payments: run, list, confirm, decline, undo, make, payouts',
      load: async () => (await import('./commands/match/match-commands.ts')).defineMatchCommands,
    },
    ledger: {
      summary: 'import the general ledger and map its accounts: import, accounts, map, lines',
      load: async () => (await import('./commands/ledger/ledger-commands.ts')).defineLedgerCommands,
    },
    journal: {
      summary: 'book explained differences: propose, add, approve, discard, export',
      load: async () => (await import('./commands/ledger/journal-commands.ts')).defineJournalCommands,
    },
    replay: {
      summary: 'resend webhooks: plan, run, status, pause, report, retry-failures',
      load: async () => (await import('./commands/replay/replay-commands.ts')).defineReplayCommands,
    },
    incidents: {
      summary: 'track outages until they are resolved: list, show, add, acknowledge, resolve, report',
      load: async () => (await import('./commands/incidents/incident-commands.ts')).defineIncidentCommands,
    },
    watch: {
      summary: 'watch the webhook log and print alerts about failing endpoints',
      load: async () => (await import('./commands/alerts/watch-command.ts')).defineWatchCommand,
    },
    alerts: {
      summary: 'view alerts and choose their channels: list, settings, set, test',
      load: async () => (await import('./commands/alerts/alert-commands.ts')).defineAlertCommands,
    },
    archive: {
      summary: 'manage statement PDFs: fetch, export, check, repair, retention, hold, delete',
      load: async () => (await import('./commands/archive/archive-commands.ts')).defineArchiveCommands,
    },
    period: {
      summary: 'prepare and sign off periods: open, submit, review, import-review, comment, close, reopen',
      load: async () => (await import('./commands/period/period-commands.ts')).definePeriodCommands,
    },
    person: {
      summary: 'manage the people who sign on this computer, and their keys: add, list, default',
      load: async () => (await import('./commands/period/person-commands.ts')).definePersonCommands,
    },
    comment: {
      summary: 'comment on records and attach files: list, add, save-file',
      load: async () => (await import('./commands/comments/comment-commands.ts')).defineCommentCommands,
    },
    report: {
      summary: 'show the schedules of a period, or write them as PDF, XLSX, CSV or JSON',
      load: async () => (await import('./commands/reports/period-report-command.ts')).defineReportCommand,
    },
    pack: {
      summary: 'write the evidence pack of a period as a ZIP file',
      load: async () =>
        (await import('./commands/reports/evidence-pack-command.ts')).defineEvidencePackCommand,
    },
    export: {
      summary: 'export a period for auditors: gobd (Z3), ads (AICPA Audit Data Standards)',
      load: async () =>
        (await import('./commands/reports/auditor-export-commands.ts')).defineAuditorExportCommands,
    },
    review: {
      summary: 'review a submitted period from its evidence pack, on another computer',
      load: async () => (await import('./commands/reports/review-command.ts')).defineReviewCommand,
    },
  },
  'Maintain and troubleshoot:': {
    verify: {
      summary: 'verify an archive export or evidence pack without the app’s data',
      load: async () => (await import('./commands/reports/verify-command.ts')).defineVerifyCommand,
    },
    jobs: {
      summary: 'view long-running jobs: list',
      load: async () => (await import('./commands/app/job-commands.ts')).defineJobCommands,
    },
    audit: {
      summary: 'view, verify and time-stamp the audit log: list, verify, time-stamp',
      load: async () => (await import('./commands/books/audit-commands.ts')).defineAuditCommands,
    },
    backup: {
      summary: 'back up the books, or list backups',
      load: async () => (await import('./commands/books/backup-command.ts')).defineBackupCommand,
    },
    restore: {
      summary: 'restore the books from a backup, or decisions from an evidence pack',
      load: async () => (await import('./commands/books/restore-command.ts')).defineRestoreCommand,
    },
    doctor: {
      summary: 'diagnose problems with the installation, data and connections',
      load: async () => (await import('./commands/app/doctor-command.ts')).defineDoctorCommand,
    },
    completion: {
      summary: 'print the completion script for bash, zsh or fish',
      load: async () => (await import('./commands/app/completion-command.ts')).defineCompletionCommand,
    },
    man: {
      summary: 'print a page of the manual',
      load: async () => (await import('./commands/app/man-command.ts')).defineManCommand,
    },
    sandbox: {
      summary: 'run the embedded billing service for testing',
      load: async () => (await import('./commands/app/sandbox-command.ts')).defineSandboxCommand,
    },
  },
};
