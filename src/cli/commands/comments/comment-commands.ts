import type { Comment, CommentSubject, CommentSubjectKind } from '../../../contract/comments/comments.ts';
import type { ContractInputs } from '../../../contract/contract.ts';
import { commentSubjectLabels } from '../../../domain/labels/comments.ts';
import { formatCount } from '../../../domain/text/format-count.ts';
import { CliError, createUsageError } from '../../errors/cli-error.ts';
import { uploadFile } from '../../input/input-files.ts';
import { createIntegerParser } from '../../input/options.ts';
import { formatMinute } from '../../output/format-values.ts';
import type { TableColumn } from '../../output/table.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { type OutputOptions, prepareOutputFile } from '../shared/write-verified-file.ts';

const kinds = Object.keys(commentSubjectLabels) as CommentSubjectKind[];
const RECORD_HELP = `record, for example line:12 or period:2026-10; kinds: ${kinds.join(', ')}`;

/** Parses a record, for example `line:12`. Throws `usage` for an unknown kind or a malformed ID. */
function parseRecord(text: string): CommentSubject {
  const [word = '', id = ''] = text.split(':');
  const kind = kinds.find((each) => each === word);
  const isValid = kind === 'period' ? /^\d{4}-\d\d$/.test(id) : /^\d{1,15}$/.test(id);
  if (kind !== undefined && isValid) return { kind, id: kind === 'period' ? id : String(Number(id)) };
  throw createUsageError(
    `“${text}” does not name a record.`,
    `Enter a kind and an ID, for example line:12. Kinds: ${kinds.join(', ')}.`,
  );
}

const parseRecords = (text: string, earlier: CommentSubject[] = []) => [...earlier, parseRecord(text)];
const parsePaths = (path: string, earlier: string[] = []) => [...earlier, path];

export const defineCommentCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List the comments on a record with their files')
    .argument('<record>', RECORD_HELP, parseRecord)
    .listOnSite(async ({ client, site, output }, subject: CommentSubject) => {
      await output.list({
        columns,
        fields: async () => (await import('../../../contract/comments/comments.ts')).commentSchema,
        pages: [{ rows: await client.comments.list({ site, subject }), next: null }],
        empty: 'There are no comments. Add one with: tieout comment add RECORD --text TEXT',
      });
    });

  command
    .subcommand('add', 'Add a comment to records, with text, files or both; it cannot be changed later')
    .argument('<records...>', RECORD_HELP, parseRecords)
    .option('--text <text>', 'text of the comment')
    .option('--file <path>', 'file to attach, at most 25 MB (repeatable)', parsePaths)
    .runOnSite(addComment);

  command
    .subcommand('save-file', 'Save a file attached to a comment')
    .argument('<comment>', 'ID of the comment', createIntegerParser(1))
    .option('--number <n>', 'position of the file in the comment', createIntegerParser(1), 1)
    .requiredOption('-o, --output <file>', 'file to write')
    .option('--replace', 'overwrite an existing file')
    .runOnSite(saveFile);
};

type Addition = { readonly text?: string; readonly file?: readonly string[] };

async function addComment(
  context: SiteContext,
  subjects: CommentSubject[],
  { text, file: paths = [] }: Addition,
): Promise<void> {
  const { client, site, output } = context;
  const uploads: string[] = [];
  for (const path of paths) uploads.push(await uploadFile(context, path));
  const input: ContractInputs['comments']['add'] = {
    site,
    subjects,
    uploads,
    ...(text !== undefined && { text }),
  };
  const comments = await client.comments.add(input);
  await output.document({ comments }, () => [
    `Comment added to ${comments.map(({ subject: { kind, id } }) => `${kind} ${id}`).join(', ')}, with ${formatCount(uploads.length, 'file')}.`,
  ]);
}

async function saveFile(
  context: SiteContext,
  comment: number,
  { number, ...options }: OutputOptions & { readonly number: number },
): Promise<void> {
  const { client, site, session, output } = context;
  const file = await prepareOutputFile(context, options);
  const { blob, name, bytes, sha256 } = await client.comments.file({ site, comment, number });
  const damaged = new CliError(
    'corrupt',
    `The attached file ${name} is damaged.`,
    'Restore it from a backup of this computer.',
  );
  const offered = await (await session.blobs()).take(blob);
  if (offered === null) throw damaged;
  await file.write(offered.stream, sha256, damaged);
  await output.document({ comment, number, name, bytes, sha256, file: file.path }, () => [
    `${file.path} saved.`,
  ]);
}

const columns: TableColumn<Comment>[] = [
  { header: 'comment', cell: ({ id }) => id, align: 'right' },
  { header: 'time (UTC)', cell: ({ at }) => formatMinute(at) },
  { header: 'user', cell: ({ user }) => user },
  { header: 'text', cell: ({ text }) => text, minWidth: 24 },
  { header: 'files', cell: ({ files }) => files.map(({ name }) => name).join(', '), minWidth: 12 },
];
