import type { AuditEntry, AuditVerdict } from '../../../contract/app/audit.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { addPageOptions, omitUndefined, type PageOptions } from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatCount, formatMinute } from '../../output/format-values.ts';
import type { TableColumn } from '../../output/table.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

interface AuditListOptions extends PageOptions {
  readonly action?: string;
  readonly subject?: string;
}

export const defineAuditCommands: DefineCommand = (command, handle) => {
  addPageOptions(command.command('list').description('List audit log entries, newest first'))
    .option('--action <action>', 'only this action, for example exceptions.accept, or all of exceptions')
    .option('--subject <subject>', 'only this subject, for example the ID of an exception, a rule or a plan')
    .action(
      handle.list(async (cli, { action, subject, ...options }: AuditListOptions) => {
        const { client, site } = await cli.session.openSite();
        const { auditEntrySchema } = await import('../../../contract/app/audit.ts');
        const filter = omitUndefined({ action, subject });
        await cli.output.list<AuditEntry>({
          columns,
          fields: Object.keys(auditEntrySchema.shape),
          pages: fetchPages(options, (page) => client.audit.list({ site, filter, ...page })),
          footer: createPageFooter('entries'),
          empty: 'The audit log has no entries yet.',
        });
      }),
    );

  command
    .command('verify')
    .description('Recompute every hash of the audit log; exits with 1 if an entry was changed')
    .option('--anchor <hash>', 'hash recorded elsewhere, to detect whether entries were removed')
    .action(
      handle(async (cli, { anchor }: { readonly anchor?: string }) => {
        const { client, site } = await cli.session.openSite();
        const verdict = await client.audit.verify({ site, ...omitUndefined({ known_hash: anchor }) });
        await cli.output.document(verdict, () => formatVerdict(verdict));
        return verdict.ok ? exitCodes.success : exitCodes.findings;
      }),
    );
};

function formatVerdict({ ok, entries, head, known_hash_seq, broken_at, reason }: AuditVerdict): string[] {
  if (!ok) {
    return [`The audit log is not intact${broken_at === null ? '' : ` at entry ${broken_at}`}: ${reason}`];
  }
  return [
    `The audit log is intact: ${formatCount(entries, 'entry', 'entries')}. Latest hash: ${head ?? 'none'}`,
    ...(known_hash_seq === null
      ? []
      : [`The anchor is the hash of entry ${known_hash_seq}. Entries up to it are unchanged.`]),
  ];
}

const columns: TableColumn<AuditEntry>[] = [
  { header: 'entry', cell: ({ seq }) => seq, align: 'right' },
  { header: 'time (UTC)', cell: ({ at }) => formatMinute(at) },
  { header: 'user', cell: ({ user }) => user },
  { header: 'action', cell: ({ action }) => action },
  { header: 'subject', cell: ({ subject }) => subject, minWidth: 10 },
  { header: 'reason', cell: ({ reason }) => reason, minWidth: 16 },
];
