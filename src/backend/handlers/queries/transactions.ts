import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { listTransactions } from '../../store/statements/transaction-list.ts';
import { createSiteQueries } from './site-query.ts';

const on = implement(contract).transactions;

export function transactionQueries({ stores }: ReaderContext) {
  const { query } = createSiteQueries(stores);
  return {
    list: on.list.handler(query(({ cache }, input) => listTransactions(cache, input))),
  };
}
