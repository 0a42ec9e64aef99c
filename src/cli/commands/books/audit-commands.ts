import type { AuditEntry } from '../../../contract/app/audit.ts';
import { exitCode } from '../../errors/exit-codes.ts';
import { addPageOptions, omitUndefined, type PageOptions } from '../../input/options.ts';
import { createPageFooter, fetchPages } from '../../output/fetch-pages.ts';
import { formatCount, formatMinute } from '../../output/format-values.ts';
import type { Column } from '../../output/table.ts';
import type { DefineCommand } from '../../runtime/action-runner.ts';

interface AuditListOptions extends PageOptions {
  readonly action?: string;
  readonly subject?: string;
}

export const defineAuditCommands: DefineCommand = (command, handle) => {
  addPageOptions(
    command.command('list').description('What was done on the site, by whom and why, the newest first.'),
  )
    .option('--action <action>', 'only this, such as exceptions.accept, or all of exceptions')
    .option('--subject <what>', 'only what was done to this: an exception’s id, a rule, a plan')
    .action(
      handle.list(async (cli, { action, subject, ...options }: AuditListOptions) => {
        const { client, site } = await cli.session.openSite();
        const { auditEntry } = await import('../../../contract/app/audit.ts');
        const filter = omitUndefined({ action, subject });
        await cli.output.list<AuditEntry>({
          columns,
          fields: Object.keys(auditEntry.shape),
          pages: fetchPages(options, (place) => client.audit.list({ site, filter, ...place })),
          footer: createPageFooter('entries'),
          empty: 'Nothing was written down yet.',
        });
      }),
    );

  command
    .command('verify')
    .description('Work out every hash of the audit log anew. Ends with 1 where an entry was tampered with.')
    .option('--noted <hash>', 'a hash of an entry that you noted elsewhere: is it still there?')
    .action(
      handle(async (cli, { noted }: { readonly noted?: string }) => {
        const { client, site } = await cli.session.openSite();
        const verdict = await client.audit.verify({ site, ...(noted === undefined ? {} : { noted }) });
        await cli.output.document(verdict, () =>
          verdict.ok
            ? [
                `Sound: ${formatCount(verdict.entries, 'entry', 'entries')}. The last has the hash ${verdict.head ?? '-'}.`,
                ...(verdict.noted === null
                  ? []
                  : [
                      `The hash noted is that of entry ${verdict.noted}: nothing up to it was changed since.`,
                    ]),
              ]
            : [
                verdict.broken_at === null
                  ? `Broken: ${verdict.reason}`
                  : `Broken at entry ${verdict.broken_at}: ${verdict.reason}`,
              ],
        );
        return verdict.ok ? exitCode.success : exitCode.findings;
      }),
    );
};

const columns: Column<AuditEntry>[] = [
  { header: 'seq', cell: ({ seq }) => seq, align: 'right' },
  { header: 'at (UTC)', cell: ({ at }) => formatMinute(at) },
  { header: 'user', cell: ({ user }) => user },
  { header: 'action', cell: ({ action }) => action },
  { header: 'subject', cell: ({ subject }) => subject, minWidth: 10 },
  { header: 'reason', cell: ({ reason }) => reason, minWidth: 16 },
];
