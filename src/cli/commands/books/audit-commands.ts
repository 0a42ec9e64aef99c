import type { AuditEntry, AuditVerdict } from '../../../contract/app/audit.ts';
import type { Inputs } from '../../../contract/contract.ts';
import { toSuccessExitCode } from '../../errors/exit-codes.ts';
import { type ListOptions, omitUndefined, toListInput } from '../../input/options.ts';
import { formatCount, formatMinute } from '../../output/format-values.ts';
import { printPages } from '../../output/print-pages.ts';
import type { TableColumn } from '../../output/table.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

export const defineAuditCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List audit log entries, newest first')
    .pageOptions()
    .option('--action <action>', 'only this action, for example exceptions.accept, or all of exceptions')
    .option('--subject <subject>', 'only this subject, for example the ID of an exception, a rule or a plan')
    .listOnSite((context, options: ListOptions<Inputs['audit']['list']>) => {
      const { client, site } = context;
      const query = { site, ...toListInput<Inputs['audit']['list']>(options) };
      return printPages(context, options, {
        columns,
        fields: async () => (await import('../../../contract/app/audit.ts')).auditEntrySchema,
        fetchPage: (page) => client.audit.list({ ...query, ...page }),
        noun: 'entries',
        empty: 'The audit log has no entries yet.',
      });
    });

  command
    .subcommand('verify', 'Recompute every hash of the audit log; exits with 1 if an entry was changed')
    .option('--anchor <hash>', 'hash recorded elsewhere, to detect whether entries were removed')
    .runOnSite(async ({ client, site, output }, { anchor }: { readonly anchor?: string }) => {
      const verdict = await client.audit.verify({ site, ...omitUndefined({ known_hash: anchor }) });
      await output.document(verdict, () => formatVerdict(verdict));
      return toSuccessExitCode(verdict.ok);
    });
};

function formatVerdict({
  ok,
  entries,
  head,
  known_hash_seq: anchor,
  broken_at,
  reason,
}: AuditVerdict): TextLines {
  if (!ok) {
    return [`The audit log is not intact${broken_at === null ? '' : ` at entry ${broken_at}`}: ${reason}`];
  }
  return [
    `The audit log is intact: ${formatCount(entries, 'entry', 'entries')}. Latest hash: ${head ?? 'none'}`,
    anchor !== null && `The anchor is the hash of entry ${anchor}. Entries up to it are unchanged.`,
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
