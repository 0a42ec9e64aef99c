import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { providePdf } from '../../archive/providePdf.ts';
import type { WriterContext } from '../../writerContext.ts';

const on = implement(contract).statements;

export function statementCommands(context: WriterContext) {
  return {
    fetchPdf: on.fetchPdf.handler(({ input, signal }) => providePdf(context, input, signal)),
  };
}
