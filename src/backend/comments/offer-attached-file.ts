import { existsSync } from 'node:fs';
import { type ContractInputs, type ContractOutputs, createNonRetryableError } from '../../contract/index.ts';
import { hashFile } from '../bagit/hash-files.ts';
import { getSourceFilePath } from '../bank/bank-file-uploads.ts';
import { requireRecord } from '../shared/require-record.ts';
import type { ReaderContext } from '../sites/reader-context.ts';
import { findComment } from '../store/comments/comment.ts';

/**
 * Offers an attached file as a one-time file of no particular type, so that no viewer runs its content. Throws
 * `not_found` for an unknown comment, an unknown file or a lost file, and `corrupt` for a changed file.
 */
export async function offerAttachedFile(
  { stores, shell }: Pick<ReaderContext, 'stores' | 'shell'>,
  { site, comment: id, number }: ContractInputs['comments']['file'],
): Promise<ContractOutputs['comments']['file']> {
  const { comment, folder } = stores.read(site, (open) => ({
    comment: findComment(open.books, id),
    folder: open.folder,
  }));
  const file = requireRecord(
    comment?.files[number - 1] ?? null,
    `file ${number} of comment ${id}`,
    'See the comments of the record.',
  );
  const path = getSourceFilePath(folder, file.sha256);
  if (!existsSync(path))
    throw createNonRetryableError(
      'not_found',
      `The attached file ${file.name} is missing.`,
      'Restore it from a backup of this computer. Its SHA-256 is stored, so you can identify it.',
      { sha256: file.sha256 },
    );
  if ((await hashFile(path)).sha256 !== file.sha256)
    throw createNonRetryableError(
      'corrupt',
      `The attached file ${file.name} was changed.`,
      'Restore it from a backup of this computer.',
      { sha256: file.sha256 },
    );
  const offered = await shell.blobs.offer({ path, name: file.name, type: 'application/octet-stream' });
  return { ...offered, sha256: file.sha256 };
}
