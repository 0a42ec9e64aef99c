import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { providePdf } from '../../archive/provide-pdf.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).statements;

export function statementCommands(context: WriterContext) {
  return {
    fetchPdf: on.fetchPdf.handler(({ input, signal }) => providePdf(context, input, signal)),
  };
}
