import type { ReadOnlyDatabases, ReadOnlySite } from '../../sites/read-only-databases.ts';

interface SiteInput {
  site: string;
}

/** Creates query handlers that read the site named in the input, from one snapshot of each database. */
export function createSiteQueries(stores: ReadOnlyDatabases) {
  return {
    query:
      <Input extends SiteInput, Output>(work: (site: ReadOnlySite, input: Input) => Output) =>
      ({ input }: { input: Input }): Output =>
        stores.read(input.site, (site) => work(site, input)),

    /** Works like `query`, but loads a module on the first call, because most commands do not need it. */
    queryWith:
      <Module, Input extends SiteInput, Output>(
        load: () => Promise<Module>,
        work: (module: Module, site: ReadOnlySite, input: Input) => Output,
      ) =>
      async ({ input }: { input: Input }): Promise<Output> => {
        const module = await load();
        return stores.read(input.site, (site) => work(module, site, input));
      },
  };
}
