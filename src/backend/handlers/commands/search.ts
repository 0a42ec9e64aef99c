import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).search;

export function searchCommands({ indexing }: WriterContext) {
  return {
    catchUp: on.catchUp.handler(({ input: { site, of }, signal }) => indexing.catchUp(site, of, signal)),
  };
}
