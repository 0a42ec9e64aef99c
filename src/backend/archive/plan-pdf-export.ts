import { createHash, randomBytes } from 'node:crypto';
import {
  type ArchiveExport,
  type ContractInputs,
  type ContractOutputs,
  createContractError,
  createNonRetryableError,
  type StatementFilter,
} from '../../contract/index.ts';
import {
  createFolderCaseUnifier,
  DEFAULT_EXPORT_NAME_TEMPLATE,
  type ExportNameTemplate,
  parseExportNameTemplate,
} from '../../domain/archive/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { resolveOutputFile, resolveOutputFolder } from '../shared/output-file.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  type ArchiveExportItem,
  addArchiveExport,
  getArchiveExport,
  removePlannedArchiveExport,
} from '../store/archive/archive-export.ts';
import {
  type ExportCandidate,
  listExportCandidates,
  readExportCandidates,
} from '../store/archive/export-candidates.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { type ReadableDb, runInTransaction, withReadSnapshot } from '../store/sqlite/connection.ts';
import { toExportIndexFields, toStatementNameFields } from './export-index.ts';

/**
 * Creates an export plan: a fixed list of statements with file names and checksums. Writes only to the books. Throws
 * `validation` for an invalid template or target, and `conflict` if the ZIP file exists.
 */
export async function planExport(
  { cache, books }: OpenSite,
  { site, selection, target, template, merged = false, replace = false }: ContractInputs['archive']['plan'],
  { home, now, user }: { home: string; now: number; user: string },
): Promise<ArchiveExport> {
  const names = requireNameTemplate(template);
  const path = resolveTargetPath(target, { home, replace });
  const id = `${now.toString(36)}-${randomBytes(3).toString('hex')}`;
  const plan = {
    id,
    made_at: now,
    made_by: user,
    description: describeSelection(selection),
    target_kind: target.kind,
    target_path: path,
    template: names.text,
    merged: merged ? 1 : 0,
    state: 'planned',
    job: null,
    ended_at: null,
    result: null,
  } as const;
  const hash = createHash('sha256');
  const onItem = (item: ArchiveExportItem) => hash.update(`${item.statement_id}\n`);
  return runInTransaction(books, () => {
    withReadSnapshot(cache, () =>
      addArchiveExport(books, plan, toExportItems(cache, selection, names, onItem)),
    );
    const planned = getArchiveExport(books, site, id) as ArchiveExport;
    const { description, count, bytes } = planned;
    const detail = { description, count, bytes, target: planned.target, ids_sha256: hash.digest('hex') };
    addAuditEntry(books, { at: now, user, action: 'archive.plan', subject: id, detail });
    return planned;
  });
}

/** Deletes a planned export. Throws `conflict` if it was started or does not exist. */
export function discardExportPlan(
  { books }: Pick<OpenSite, 'books'>,
  id: string,
  { now, user }: { now: number; user: string },
): void {
  runInTransaction(books, () => {
    if (!removePlannedArchiveExport(books, id)) {
      const message = `Export ${id} was started or does not exist. Only a planned export can be discarded.`;
      throw createNonRetryableError('conflict', message);
    }
    addAuditEntry(books, { at: now, user, action: 'archive.discard', subject: id, detail: {} });
  });
}

/** Returns the file names that the first selected statements would have. Throws `validation` for an invalid template. */
export function previewExportFileNames(
  cache: ReadableDb,
  { filter = {}, ids, template, limit = 5 }: Omit<ContractInputs['archive']['names'], 'site'>,
): ContractOutputs['archive']['names'] {
  const names = requireNameTemplate(template);
  const [first = []] =
    ids === undefined ? readExportCandidates(cache, filter) : [listExportCandidates(cache, ids)];
  return {
    template: names.text,
    names: first.slice(0, limit).map((each) => ({ id: each.id, name: toFileName(names, each) })),
  };
}

const toFileName = (names: ExportNameTemplate, each: ExportCandidate): string =>
  names.toPathParts(toStatementNameFields(each)).join('/');

function* toExportItems(
  cache: ReadableDb,
  selection: ContractInputs['archive']['plan']['selection'],
  names: ExportNameTemplate,
  onItem: (item: ArchiveExportItem) => void,
): Generator<ArchiveExportItem & { open: boolean }> {
  const chunks =
    'ids' in selection
      ? [listExportCandidates(cache, [...new Set(selection.ids)])]
      : readExportCandidates(cache, selection.filter);
  const unifyFolderCase = createFolderCaseUnifier();
  for (const chunk of chunks) {
    for (const each of chunk) {
      const item = {
        statement_id: each.id,
        sha256: each.sha256,
        bytes: each.bytes,
        name: unifyFolderCase(toFileName(names, each)),
        facts: JSON.stringify(toExportIndexFields(each)),
        open: each.state === 0,
      };
      onItem(item);
      yield item;
    }
  }
}

function requireNameTemplate(template: string | undefined): ExportNameTemplate {
  const read = parseExportNameTemplate(template ?? DEFAULT_EXPORT_NAME_TEMPLATE);
  if (typeof read !== 'string') return read;
  throw createContractError({
    code: 'validation',
    message: read,
    errors: [`template: ${read}`],
    retryable: false,
  });
}

function resolveTargetPath(
  { kind, path }: ArchiveExport['target'],
  options: { home: string; replace: boolean },
): string {
  if (kind === 'folder') return resolveOutputFolder(path, options.home);
  return resolveOutputFile(path, { ...options, extension: '.zip', isSeekable: true }).path;
}

function describeSelection(selection: ContractInputs['archive']['plan']['selection']): string {
  return 'ids' in selection
    ? formatCount(new Set(selection.ids).size, 'selected statement')
    : describeStatements(selection.filter);
}

/** Describes a statement filter, for example `paid statements, 2026-10-01 to 2026-10-31`. */
function describeStatements(filter: StatementFilter): string {
  const { state, since, until, subscription_id, search, figure } = filter;
  const parts = [
    state === undefined || state.length === 3 ? 'all statements' : `${state.join(' and ')} statements`,
  ];
  if (since !== undefined && until !== undefined)
    parts.push(since === until ? since : `${since} to ${until}`);
  else if (since !== undefined) parts.push(`from ${since}`);
  else if (until !== undefined) parts.push(`until ${until}`);
  if (subscription_id !== undefined) parts.push(`subscription ${subscription_id}`);
  if (search !== undefined && search.trim() !== '') parts.push(`matching “${search.trim()}”`);
  if (figure !== undefined) parts.push(`of ${figure.figure} of ${figure.period}`);
  return parts.join(', ');
}
