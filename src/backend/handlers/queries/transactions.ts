import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { listTransactions } from '../../store/statements/transaction-list.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).transactions;

export function transactionQueries({ stores }: ReaderContext) {
  return {
    list: on.list.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => listTransactions(cache, input)),
    ),
  };
}
