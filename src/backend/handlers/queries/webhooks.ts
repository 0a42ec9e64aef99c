import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { webhookDetail } from '../../store/webhookDetail.ts';
import { webhookErrors, webhookFacets } from '../../store/webhookFacets.ts';
import { listWebhooks, webhookMarks } from '../../store/webhookList.ts';
import { found } from '../found.ts';
import type { ReaderContext } from '../readerContext.ts';

const on = implement(contract).webhooks;

export function webhookQueries({ stores }: ReaderContext) {
  return {
    list: on.list.handler(({ input }) => stores.read(input.site, ({ cache }) => listWebhooks(cache, input))),
    marks: on.marks.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => webhookMarks(cache, input)),
    ),
    get: on.get.handler(({ input: { site, id } }) =>
      found(
        stores.read(site, ({ cache, books }) => webhookDetail(cache, books, id)),
        `webhook ${id}`,
        'Sync the site; a webhook the service no longer keeps cannot be fetched.',
      ),
    ),
    facets: on.facets.handler(({ input }) => stores.read(input.site, ({ cache }) => webhookFacets(cache))),
    errors: on.errors.handler(({ input }) =>
      stores.read(input.site, ({ cache }) => webhookErrors(cache, input.filter)),
    ),
  };
}
