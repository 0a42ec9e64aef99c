import { commentProcedures } from '../../../contract/comments/comments.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

const loadAddition = () => import('../../comments/add-comment.ts');

export const commentCommands = (context: WriterContext) =>
  implementProcedures(commentProcedures, {
    add: async ({ input }) => (await loadAddition()).addComments(context, input),
  });
