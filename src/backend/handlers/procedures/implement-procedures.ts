import { type AnyRouter, implement } from '@orpc/server';
import { backendContract } from '../../../contract/index.ts';
import type { ReadOnlySite } from '../../sites/read-only-databases.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';

const implementer = implement(backendContract);
type Implementer = typeof implementer;
type Handler<Procedure> = Procedure extends { handler(handler: infer Implementation): unknown }
  ? Implementation
  : never;

export function implementProcedures<Group extends keyof typeof backendContract>(
  group: Group,
  handlers: { [Name in keyof Implementer[Group]]?: Handler<Implementer[Group][Name]> },
): AnyRouter {
  const procedures = implementer[group] as unknown as Record<
    string,
    { handler(handler: unknown): AnyRouter }
  >;
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name, procedures[name]!.handler(handler)]),
  );
}

interface SiteInput {
  site: string;
}

/** Returns the site with a cache that opens only after the books, so that no query hides lost or damaged books. */
const requireBooks = (site: ReadOnlySite): ReadOnlySite => ({
  file: site.file,
  folder: site.folder,
  get cache() {
    void site.books;
    return site.cache;
  },
  get books() {
    return site.books;
  },
});

/** Creates the functions that build query handlers. Each handler reads the site of its input from one snapshot. */
export const createSiteQueries = ({ stores }: Pick<ReaderContext, 'stores'>) => ({
  query:
    <Input extends SiteInput, Output>(work: (site: ReadOnlySite, input: Input) => Output) =>
    ({ input }: { input: Input }): Output =>
      stores.read(input.site, (site) => work(requireBooks(site), input)),

  /** Works like `query`, but loads a module on the first call, because most commands do not need that module. */
  queryWith:
    <Module, Input extends SiteInput, Output>(
      load: () => Promise<Module>,
      work: (module: Module, site: ReadOnlySite, input: Input) => Output,
    ) =>
    async ({ input }: { input: Input }): Promise<Output> => {
      const module = await load();
      return stores.read(input.site, (site) => work(module, requireBooks(site), input));
    },
});

/** Dependencies of the queries, with the functions that build query handlers. */
export type QueryContext = ReaderContext & ReturnType<typeof createSiteQueries>;
