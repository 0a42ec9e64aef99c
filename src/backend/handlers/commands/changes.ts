import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).changes;

export function changesStreams({ changes }: WriterContext) {
  return {
    watch: on.watch.handler(({ signal }) => changes.watch(signal)),
  };
}
