import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { unsearched } from '../../store/search/search-index.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).search;

export function searchQueries({ stores }: ReaderContext) {
  const { query } = createSiteQueries(stores);
  return {
    unsearched: on.unsearched.handler(query(({ cache }) => unsearched(cache))),
  };
}
