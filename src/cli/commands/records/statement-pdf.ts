import { pipeline } from 'node:stream/promises';
import { CliError, createUsageError } from '../../errors/cli-error.ts';
import type { CommandContext } from '../../runtime/cli-command.ts';
import { type OutputOptions, prepareOutputFile } from '../shared/write-verified-file.ts';

/** Output file and version of a statement's PDF. Defaults to the latest version. */
export interface PdfOptions extends OutputOptions {
  /** True to download again a PDF that a user deleted. */
  readonly redownloadDeleted?: boolean;
  readonly pdfVersion?: number;
}

/**
 * Writes a statement's PDF to `output`, or to stdout for `-`. Downloads the PDF into the archive first if it is
 * missing. The output file appears only once it is complete and has the archived SHA-256.
 */
export async function writeStatementPdf(
  cli: CommandContext,
  id: number,
  { output, replace, ...selection }: PdfOptions,
) {
  if (output === '-' && cli.output.format !== 'table') {
    throw createUsageError(
      'The PDF and the structured output cannot both be written to stdout.',
      'Enter a file name with -o.',
    );
  }
  const target =
    output === '-' ? null : await prepareOutputFile(cli, { output, ...(replace && { replace }) });
  const { file: archived, sha256, fetched_at } = await findOrDownloadPdf(cli, id, selection);
  const offered = await (await cli.session.blobs()).take(archived.blob);
  if (offered === null)
    throw new CliError('storage', `The PDF of statement ${id} is missing in the archive.`);
  if (target === null) {
    await pipeline(offered.stream, process.stdout, { end: false });
  } else {
    const damaged = new CliError(
      'corrupt',
      `The stored PDF of statement ${id} is damaged.`,
      'Check all PDFs with: tieout archive check --full. Download damaged ones again with: tieout archive repair',
    );
    await target.write(offered.stream, sha256, damaged);
  }
  return { statement: id, file: target?.path ?? output, bytes: archived.bytes, sha256, fetched_at };
}

async function findOrDownloadPdf(
  { session }: CommandContext,
  id: number,
  selection: Omit<PdfOptions, 'output' | 'replace'>,
) {
  const { redownloadDeleted = false, pdfVersion } = selection;
  const { client, site } = await session.openSite();
  if (pdfVersion !== undefined) {
    const older = await client.statements.pdf({ site, id, version: pdfVersion });
    if (older.stored) return older;
    const message = `The archive has no version ${pdfVersion} of the PDF of statement ${id}.`;
    throw new CliError('not_found', message, 'List the versions with: tieout archive files --json');
  }
  const stored = await client.statements.pdf({ site, id });
  if (stored.stored) return stored;
  const remote = await session.connectSite();
  const fetched = await remote.client.statements.fetchPdf({ site, id, again: redownloadDeleted });
  if (!fetched.stored) throw new CliError('not_found', `The service has no PDF of statement ${id}.`);
  return fetched;
}
