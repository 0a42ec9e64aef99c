import type { AuditEntry, AuditVerification } from '../../../contract/app/audit.ts';
import type { ContractInputs } from '../../../contract/contract.ts';
import { describeTimeStamp, getAuditActionLabel } from '../../../domain/labels/audit.ts';
import { describeAuditSubject } from '../../../domain/labels/audit-entries.ts';
import { getSuccessExitCode } from '../../errors/exit-codes.ts';
import {
  type ListOptions,
  omitUndefined,
  parseDate,
  parseWordList,
  toListRequest,
} from '../../input/options.ts';
import { formatCount, formatMinute } from '../../output/format-values.ts';
import { printList } from '../../output/print-list.ts';
import type { TableColumn } from '../../output/table.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

export const defineAuditCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List audit log entries, newest first')
    .pageOptions()
    .option('--action <action>', 'only this action, for example exceptions.accept, or exceptions for all')
    .option('--subject <subject>', 'only entries about this ID, for example of an exception, rule or plan')
    .option('--user <name>', 'only entries of this user (repeatable)', parseWordList)
    .option('--since <date>', 'only entries from this day on, as YYYY-MM-DD', parseDate)
    .option('--until <date>', 'only entries up to this day, as YYYY-MM-DD', parseDate)
    .option('--search <text>', 'search in actions, subjects, users, reasons and details')
    .sortOptions(['seq'], 'desc')
    .listOnSite((context, options: ListOptions<ContractInputs['audit']['list']>) => {
      const { client, site } = context;
      const query = { site, ...toListRequest<ContractInputs['audit']['list']>(options) };
      return printList(context, options, {
        columns,
        fields: async () => (await import('../../../contract/app/audit.ts')).auditEntrySchema,
        fetchPage: (page) => client.audit.list({ ...query, ...page }),
        noun: 'entries',
        empty: 'The audit log has no entries yet.',
      });
    });

  command
    .subcommand(
      'verify',
      'Verify the audit log and the decisions it records; exits with 1 if anything was changed',
    )
    .option(
      '--anchor <hash>',
      'receipt stored elsewhere, or hash of an entry, to detect changed or removed entries',
    )
    .runOnSite(async ({ client, site, output }, { anchor }: { readonly anchor?: string }) => {
      const verdict = await client.audit.verify({ site, ...omitUndefined({ known_hash: anchor }) });
      await output.document(verdict, () => formatVerdict(verdict));
      return getSuccessExitCode(verdict.ok);
    });

  command
    .subcommand('time-stamp', 'Request a time stamp (RFC 3161) of the audit log and add it to the log')
    .option('--authority <url>', 'address of the time-stamp authority (default: the one used last)')
    .addHelpText(
      'after',
      '\nOnly the hash of the receipt is sent. The authority’s response is stored in the log. To verify it with other software:' +
        '\n  tieout audit list --action audit.timeStamp --json' +
        '\n  (save detail.response, decoded from base64, as stamp.tsr)' +
        '\n  openssl ts -verify -digest <receipt> -in stamp.tsr -CAfile <certificate of the issuer>',
    )
    .runOnSite(async ({ client, site, output }, { authority }: { readonly authority?: string }) => {
      const stamp = await client.audit.timeStamp({ site, ...omitUndefined({ authority }) });
      await output.document(stamp, () => [describeTimeStamp(stamp, formatMinuteInUtc)]);
    });
};

const formatMinuteInUtc = (at: string) => `${formatMinute(at)} UTC`;

function formatVerdict({
  reason,
  broken_at,
  entries,
  receipt,
  known_hash_seq: proven,
  differences,
  time_stamps,
}: AuditVerification): TextLines {
  return [
    reason === null
      ? `The audit log is intact: ${formatCount(entries, 'entry', 'entries')}. Receipt: ${receipt.hash}`
      : `The audit log is not intact${broken_at === null ? '' : ` at entry ${broken_at}`}: ${reason}`,
    proven !== null && `The receipt proves that entries 1–${proven} are unchanged.`,
    time_stamps.map((stamp) => describeTimeStamp(stamp, formatMinuteInUtc)),
    differences,
  ];
}

const columns: TableColumn<AuditEntry>[] = [
  { header: 'entry', cell: ({ seq }) => seq, align: 'right' },
  { header: 'time (UTC)', cell: ({ at }) => formatMinute(at) },
  { header: 'user', cell: ({ user }) => user },
  { header: 'action', cell: ({ action }) => getAuditActionLabel(action) },
  { header: 'record', cell: describeAuditSubject, minWidth: 12 },
  { header: 'reason', cell: ({ reason }) => reason, minWidth: 16 },
];
