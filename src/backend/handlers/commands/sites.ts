import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { addSite, removeSite, replaceApiKey, testSite, updateSite } from '../../site-setup/site-setup.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract).sites;

export function siteCommands(context: WriterContext) {
  return {
    add: on.add.handler(({ input, signal }) => addSite(context, input, signal)),
    test: on.test.handler(({ input, signal }) => testSite(context, input, signal)),
    update: on.update.handler(({ input }) => updateSite(context, input)),
    replaceKey: on.replaceKey.handler(({ input, signal }) => replaceApiKey(context, input, signal)),
    remove: on.remove.handler(({ input }) => removeSite(context, input)),
  };
}
