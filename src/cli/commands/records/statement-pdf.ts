import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CliError, usageError } from '../../errors/cli-error.ts';
import type { CommandContext } from '../../runtime/action-runner.ts';
import { writeVerifiedFile } from '../shared/write-verified-file.ts';

/** Selects a version of a statement's PDF. The default is the latest one. */
export interface PdfSelection {
  /** True if a PDF that was deleted manually is to be downloaded again. */
  readonly redownloadDeleted?: boolean;
  readonly pdfVersion?: number;
}

/**
 * Writes a statement's PDF to `output`, or to stdout for `-`. Downloads the PDF into the archive first if it is missing.
 * The output file only appears once it is complete and has the archived SHA-256.
 */
export async function writeStatementPdf(
  cli: CommandContext,
  id: number,
  output: string,
  selection: PdfSelection,
) {
  if (output === '-' && cli.output.format !== 'table') {
    throw usageError('stdout cannot contain both the PDF and the document.', 'Enter a file name with -o.');
  }
  const pdf = await findOrDownloadPdf(cli, id, selection);
  const offered = await (await cli.session.blobs()).take(pdf.file.blob);
  if (offered === null)
    throw new CliError('storage', `The PDF of statement ${id} is missing in the archive.`);
  if (output === '-') {
    await pipeline(offered.stream, process.stdout, { end: false });
    return {
      statement: id,
      file: '-',
      bytes: pdf.file.bytes,
      sha256: pdf.sha256,
      fetched_at: pdf.fetched_at,
    };
  }
  const file = resolve(output);
  const damaged = new CliError(
    'corrupt',
    `The stored PDF of statement ${id} is damaged.`,
    'Check all PDFs with: tieout archive check --full. Download damaged ones again with: tieout archive repair',
  );
  await writeVerifiedFile(file, offered.stream, pdf.sha256, damaged);
  return { statement: id, file, bytes: pdf.file.bytes, sha256: pdf.sha256, fetched_at: pdf.fetched_at };
}

async function findOrDownloadPdf(
  { session }: CommandContext,
  id: number,
  { redownloadDeleted = false, pdfVersion }: PdfSelection,
) {
  const { client, site } = await session.openSite();
  if (pdfVersion !== undefined) {
    const older = await client.statements.pdf({ site, id, version: pdfVersion });
    if (older.stored) return older;
    throw new CliError(
      'not_found',
      `The archive has no version ${pdfVersion} of the PDF of statement ${id}.`,
      'List the versions with: tieout archive files --json',
    );
  }
  const stored = await client.statements.pdf({ site, id });
  if (stored.stored) return stored;
  const remote = await session.connectSite();
  const fetched = await remote.client.statements.fetchPdf({ site, id, again: redownloadDeleted });
  if (!fetched.stored) throw new CliError('not_found', `The service has no PDF of statement ${id}.`);
  return fetched;
}
