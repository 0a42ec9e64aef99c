import type { AnyContractRouter } from '@orpc/contract';
import { type AnyRouter, type Implementer, implement } from '@orpc/server';
import type { ReadOnlySite } from '../../sites/read-only-databases.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';

type Handler<Procedure> = Procedure extends { handler(handler: infer Implementation): unknown }
  ? Implementation
  : never;

type NoContext = Record<never, never>;

/** Implements procedures of one contract group. */
export function implementProcedures<Group extends Record<string, AnyContractRouter>>(
  group: Group,
  handlers: { [Name in keyof Group]?: Handler<Implementer<Group, NoContext, NoContext>[Name & string]> },
): AnyRouter {
  const procedures = implement(group) as unknown as Record<string, { handler(handler: unknown): AnyRouter }>;
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
