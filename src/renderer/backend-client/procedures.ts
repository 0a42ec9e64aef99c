import type { BackendClient, ChangeEvent, ContractInputs, ContractOutputs } from '../../contract/index.ts';

type Noun = keyof BackendClient & string;
/** Name of a procedure in the contract, in the form `noun.verb`. */
export type ProcedureName = { [N in Noun]: `${N}.${keyof BackendClient[N] & string}` }[Noun];

type ProcedureEntry<Tree, P extends ProcedureName> = P extends `${infer N}.${infer V}`
  ? N extends keyof Tree
    ? V extends keyof Tree[N]
      ? Tree[N][V]
      : never
    : never
  : never;

export type ProcedureInput<P extends ProcedureName> = ProcedureEntry<ContractInputs, P>;
export type ProcedureOutput<P extends ProcedureName> = ProcedureEntry<ContractOutputs, P>;
export type ChangeTopic = ChangeEvent['topics'][number];

/** Change topics that affect a period, because its figures are computed from all local data of the site. */
const PERIOD_TOPICS: readonly ChangeTopic[] = [
  ...(['periods', 'statements', 'exceptions', 'bank', 'match'] as const),
  ...(['sync', 'jobs', 'sites', 'archive'] as const),
];

/** Change topics whose records are stored in the books. */
const BOOKS_TOPICS: readonly ChangeTopic[] = [
  ...(['backups', 'sites', 'allocations', 'replay', 'exceptions', 'archive', 'bank', 'match'] as const),
  ...(['incidents', 'alerts', 'comments', 'periods', 'audit', 'jobs'] as const),
];

/** Change topics that make queries stale, by contract noun or by procedure. Default: the topic with the noun's name. */
const invalidatingTopics: { readonly [P in Noun | ProcedureName]?: readonly ChangeTopic[] } = {
  sites: ['sites', 'sync'],
  // The status includes whether the shared key reproduces the signature of the newest stored webhook.
  'sites.sharedKey': ['sites', 'webhooks'],
  webhooks: ['webhooks', 'replay'],
  // The outages also depend on how far the webhook log has been read.
  'webhooks.outages': ['webhooks', 'replay', 'sync'],
  statements: ['statements', 'archive'],
  transactions: ['statements'],
  allocations: ['allocations', 'statements', 'webhooks'],
  subscriptions: ['statements', 'webhooks', 'allocations', 'exceptions', 'archive'],
  check: ['exceptions', 'webhooks', 'replay', 'sync', 'jobs', 'archive', 'allocations'],
  // An exception's details include the current state of its supporting records.
  'exceptions.get': ['exceptions', 'statements', 'webhooks', 'replay', 'allocations'],
  archive: ['archive', 'statements'],
  // The summary includes whether a new run would find more matches and whether a run is in progress.
  'match.summary': ['match', 'bank', 'sync', 'jobs'],
  // The effect of a rule is shown on all stored bank lines.
  'match.tryRule': ['match', 'bank'],
  'match.proposedRules': ['match', 'bank'],
  // A trail leads through records of almost every kind. Ledger imports report the topic of periods.
  'match.trail': ['match', 'bank', 'statements', 'webhooks', 'replay', 'periods'],
  sync: ['sync', 'jobs', 'archive', 'allocations'],
  replay: ['replay', 'jobs'],
  // An incident's details include the current deliveries and replays of its webhooks.
  'incidents.get': ['incidents', 'webhooks', 'replay'],
  // Missing webhooks follow from all billing records and from how far each of them has been read.
  missingWebhooks: ['webhooks', 'statements', 'allocations', 'sync'],
  audit: ['audit', 'replay'],
  // A sign-off creates the key of a person who signs for the first time.
  people: ['settings', 'periods'],
  periods: PERIOD_TOPICS,
  workpapers: PERIOD_TOPICS,
  reports: PERIOD_TOPICS,
  ledger: ['periods'],
  journal: ['periods'],
  packs: ['periods', 'statements', 'bank', 'match', 'jobs', 'archive'],
  // Backup queries also report what has changed in the books since the latest backup.
  backups: BOOKS_TOPICS,
  search: ['search', 'webhooks', 'statements', 'archive'],
  'search.find': [
    ...(['search', 'webhooks', 'replay', 'statements', 'archive'] as const),
    ...(['bank', 'match', 'exceptions'] as const),
  ],
};

/** Contract nouns with text search. Their queries find more records as the search index grows. */
const searchableNouns: ReadonlySet<Noun> = new Set<Noun>(['webhooks', 'statements', 'archive']);

/** Returns true if a change may have made the answer to this query stale. */
export function isQueryInvalidatedBy(change: ChangeEvent, name: ProcedureName, input: unknown): boolean {
  const noun = name.slice(0, name.indexOf('.')) as Noun;
  const ownTopics: readonly string[] = invalidatingTopics[name] ?? invalidatingTopics[noun] ?? [noun];
  const relevantTopics =
    searchableNouns.has(noun) && hasSearchTerm(input) ? [...ownTopics, 'search'] : ownTopics;
  return (
    change.topics.some((topic) => relevantTopics.includes(topic)) && concernsSameSite(change.site, input)
  );
}

function hasSearchTerm(input: unknown): boolean {
  const query = input as { filter?: { search?: string }; words?: string } | null;
  return query?.filter?.search !== undefined || query?.words !== undefined;
}

function concernsSameSite(site: string | null, input: unknown): boolean {
  const querySite = (input as { site?: string } | null)?.site;
  return site === null || querySite === undefined || querySite === site;
}

export function callProcedure<P extends ProcedureName>(
  client: BackendClient,
  name: P,
  input: ProcedureInput<P>,
  options: { signal?: AbortSignal } = {},
): Promise<ProcedureOutput<P>> {
  const [noun, verb] = name.split('.') as [Noun, string];
  const procedure = (client[noun] as unknown as Record<string, Procedure<P>>)[verb] as Procedure<P>;
  return procedure(input, options);
}

type Procedure<P extends ProcedureName> = (
  input: ProcedureInput<P>,
  options: { signal?: AbortSignal },
) => Promise<ProcedureOutput<P>>;
