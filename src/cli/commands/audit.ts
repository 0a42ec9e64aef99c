import type { AuditEntry } from '../../contract/audit.ts';
import { exit } from '../exit.ts';
import { given, type ListOptions, listOptions } from '../input/options.ts';
import { counted, minute } from '../output/figures.ts';
import { pageFooter, pagesOf } from '../output/pages.ts';
import type { Column } from '../output/table.ts';
import type { Define } from '../verbs.ts';

interface AuditListOptions extends ListOptions {
  readonly action?: string;
  readonly subject?: string;
}

export const define: Define = (command, act) => {
  listOptions(
    command.command('list').description('What was done on the site, by whom and why, the newest first.'),
  )
    .option('--action <action>', 'only this, such as exceptions.accept, or all of exceptions')
    .option('--subject <what>', 'only what was done to this: an exception’s id, a rule, a plan')
    .action(
      act.list(async (cli, { action, subject, ...options }: AuditListOptions) => {
        const { client, site } = await cli.session.local();
        const { auditEntry } = await import('../../contract/audit.ts');
        const filter = given({ action, subject });
        await cli.out.list<AuditEntry>({
          columns,
          fields: Object.keys(auditEntry.shape),
          pages: pagesOf(options, (place) => client.audit.list({ site, filter, ...place })),
          footer: pageFooter('entries'),
          empty: 'Nothing was written down yet.',
        });
      }),
    );

  command
    .command('verify')
    .description('Work out every hash of the audit log anew. Ends with 1 where an entry was tampered with.')
    .option('--noted <hash>', 'a hash of an entry that you noted elsewhere: is it still there?')
    .action(
      act(async (cli, { noted }: { readonly noted?: string }) => {
        const { client, site } = await cli.session.local();
        const verdict = await client.audit.verify({ site, ...(noted === undefined ? {} : { noted }) });
        await cli.out.document(verdict, () =>
          verdict.ok
            ? [
                `Sound: ${counted(verdict.entries, 'entry', 'entries')}. The last has the hash ${verdict.head ?? '-'}.`,
                ...(verdict.noted === null
                  ? []
                  : [
                      `The hash noted is that of entry ${verdict.noted}: nothing up to it was changed since.`,
                    ]),
              ]
            : [
                verdict.broken_at === null
                  ? `Broken: ${verdict.why}`
                  : `Broken at entry ${verdict.broken_at}: ${verdict.why}`,
              ],
        );
        return verdict.ok ? exit.done : exit.found;
      }),
    );
};

const columns: Column<AuditEntry>[] = [
  { header: 'seq', cell: ({ seq }) => seq, align: 'right' },
  { header: 'at (UTC)', cell: ({ at }) => minute(at) },
  { header: 'who', cell: ({ who }) => who },
  { header: 'action', cell: ({ action }) => action },
  { header: 'subject', cell: ({ subject }) => subject, least: 10 },
  { header: 'why', cell: ({ why }) => why, least: 16 },
];
