import type { Change, Client, Inputs, Outputs } from '../../contract/index.ts';

type Noun = keyof Client & string;
/** Any procedure of the contract, as `noun.verb`. */
export type Name = { [N in Noun]: `${N}.${keyof Client[N] & string}` }[Noun];

type At<Tree, P extends Name> = P extends `${infer N}.${infer V}`
  ? N extends keyof Tree
    ? V extends keyof Tree[N]
      ? Tree[N][V]
      : never
    : never
  : never;

export type InputOf<P extends Name> = At<Inputs, P>;
export type OutputOf<P extends Name> = At<Outputs, P>;
export type Topic = Change['topics'][number];

/** The figures of a period rest on all that is held, in the site’s currency. */
const RESTS_ON_ALL: readonly Topic[] = [
  ...(['periods', 'statements', 'exceptions', 'bank', 'match'] as const),
  ...(['sync', 'jobs', 'sites', 'archive'] as const),
];

const WRITES_INTO_BOOKS: readonly Topic[] = [
  ...(['backups', 'sites', 'allocations', 'replay', 'exceptions', 'archive', 'bank', 'match'] as const),
  ...(['periods', 'audit', 'jobs'] as const),
];

/** What makes answers of a noun’s queries out of date, or of one of them, where that is more than the topic of the noun’s name. */
const topics: { readonly [P in Noun | Name]?: readonly Topic[] } = {
  sites: ['sites', 'sync'],
  webhooks: ['webhooks', 'replay'],
  // Nothing is missing from the log before it was read last.
  'webhooks.outages': ['webhooks', 'replay', 'sync'],
  statements: ['statements', 'archive'],
  transactions: ['statements'],
  allocations: ['allocations', 'statements', 'webhooks'],
  subscriptions: ['statements', 'webhooks', 'allocations', 'exceptions', 'archive'],
  check: ['exceptions', 'webhooks', 'replay', 'sync', 'jobs', 'archive', 'allocations'],
  // With the rows behind it as they are now.
  'exceptions.get': ['exceptions', 'statements', 'webhooks', 'replay', 'allocations'],
  archive: ['archive', 'statements'],
  // Whether a run would find more, and whether one is under way.
  'match.summary': ['match', 'bank', 'sync', 'jobs'],
  sync: ['sync', 'jobs', 'archive', 'allocations'],
  replay: ['replay', 'jobs'],
  audit: ['audit', 'replay'],
  periods: RESTS_ON_ALL,
  workpapers: RESTS_ON_ALL,
  packs: ['periods', 'statements', 'bank', 'match', 'jobs', 'archive'],
  // What was written into the books since the newest copy.
  backups: WRITES_INTO_BOOKS,
  search: ['search', 'webhooks', 'statements', 'archive'],
};

/** What is found by its words: more of it as they are read. */
const searched: ReadonlySet<Noun> = new Set<Noun>(['webhooks', 'statements', 'archive']);

/** Whether a change may have made the answer to this question out of date. */
export function touches(change: Change, name: Name, input: unknown): boolean {
  const noun = name.slice(0, name.indexOf('.')) as Noun;
  const own: readonly string[] = topics[name] ?? topics[noun] ?? [noun];
  const about = searched.has(noun) && hasWords(input) ? [...own, 'search'] : own;
  return change.topics.some((topic) => about.includes(topic)) && sameSite(change.site, input);
}

function hasWords(input: unknown): boolean {
  const asked = input as { filter?: { search?: string }; words?: string } | null;
  return asked?.filter?.search !== undefined || asked?.words !== undefined;
}

function sameSite(site: string | null, input: unknown): boolean {
  const asked = (input as { site?: string } | null)?.site;
  return site === null || asked === undefined || asked === site;
}

/** The procedure of that name, to be called. */
export function call<P extends Name>(
  client: Client,
  name: P,
  input: InputOf<P>,
  options: { signal?: AbortSignal } = {},
): Promise<OutputOf<P>> {
  const [noun, verb] = name.split('.') as [Noun, string];
  const procedure = (client[noun] as unknown as Record<string, Procedure<P>>)[verb] as Procedure<P>;
  return procedure(input, options);
}

type Procedure<P extends Name> = (
  input: InputOf<P>,
  options: { signal?: AbortSignal },
) => Promise<OutputOf<P>>;
