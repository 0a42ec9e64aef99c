import { commentProcedures } from '../../../contract/comments/comments.ts';
import { offerAttachedFile } from '../../comments/offer-attached-file.ts';
import { listComments } from '../../store/comments/comment.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

export const commentQueries = ({ query, ...context }: QueryContext) =>
  implementProcedures(commentProcedures, {
    list: query(({ books }, { subject }) => listComments(books, subject)),
    file: ({ input }) => offerAttachedFile(context, input),
  });
