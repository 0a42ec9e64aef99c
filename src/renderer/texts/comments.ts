import { MAX_ATTACHMENT_BYTES } from '../../contract/comments/comments.ts';
import { formatBytes } from './numbers.ts';

export const commentTexts = {
  title: 'Comments and files',
  label: 'Comment',
  placeholder: 'Add a comment',
  attach: 'Attach files',
  chosen: 'Files to attach',
  add: 'Add comment',
  removeFile: (name: string) => `Remove ${name}`,
  saveFile: (name: string) => `Save ${name}`,
  tooLarge: (name: string) =>
    `${name} is larger than ${formatBytes(MAX_ATTACHMENT_BYTES)}. Attach a smaller file.`,
  tooMany: (count: number) => `Attach at most ${count} files to one comment.`,
  empty: (name: string) => `${name} is empty. Choose a file with content.`,
  uploading: (name: string) => `Reading ${name}…`,
  permanent: 'A comment cannot be changed or deleted. The evidence pack contains it with its files.',
};
