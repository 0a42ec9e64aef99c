import type { ContractInputs, FolderListing, StatementFilter } from '../../contract/index.ts';
import type { StatementExportSelection } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive.exportDialog;

/** Options that the user enters in the export dialog. */
export interface ExportOptions {
  /** Statements selected in the list, or null to select statements by `state`, `from`, and `until`. */
  readonly selection: StatementExportSelection | null;
  readonly state: 'closed' | 'paid' | 'unpaid';
  readonly from: string;
  readonly until: string;
  readonly kind: 'folder' | 'zip';
  /** Destination path, or null until the user chooses one. Until then, the default path applies. */
  readonly path: string | null;
  readonly template: string;
  readonly merged: boolean;
  readonly replace: boolean;
}

export function createExportOptions(selection: StatementExportSelection | null): ExportOptions {
  return {
    selection,
    state: 'closed',
    from: '',
    until: '',
    kind: 'folder',
    path: null,
    template: '',
    merged: false,
    replace: false,
  };
}

/** Returns the default destination inside a folder. Its name contains the current date. */
export function defaultExportPath(
  folder: FolderListing | undefined,
  kind: ExportOptions['kind'],
  today: string,
): string {
  if (folder === undefined) return '';
  return joinPath(folder.path, `statements-${today}${kind === 'zip' ? '.zip' : ''}`);
}

/** Appends a name to a folder path, using the path separator that the folder path already uses. */
export function joinPath(folder: string, name: string): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}

/** Returns the statement filter of an export, or null if statements were selected individually. */
export function toExportStatementFilter({
  selection,
  state,
  from,
  until,
}: ExportOptions): StatementFilter | null {
  if (selection !== null) return 'filter' in selection ? selection.filter : null;
  return {
    state: state === 'closed' ? ['unpaid', 'paid'] : [state],
    ...(from.trim() === '' ? {} : { since: from.trim() }),
    ...(until.trim() === '' ? {} : { until: until.trim() }),
  };
}

/** Returns the validation error for a date input, or null if the input is empty or a valid date. */
export function validateDayInput(day: string): string | null {
  const trimmed = day.trim();
  if (trimmed === '') return null;
  const ms = /^\d{4}-\d\d-\d\d$/.test(trimmed) ? Date.parse(`${trimmed}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(trimmed) ? null : text.dateWrong;
}

/** Returns the reason why the export cannot be planned yet, or null if it can be planned. */
export function validateExportOptions(options: ExportOptions, path: string): string | null {
  return (
    validateDayInput(options.from) ??
    validateDayInput(options.until) ??
    (path.trim() === '' ? text.destinationMissing : null)
  );
}

export function toExportPlanInput(
  options: ExportOptions,
  path: string,
): Omit<ContractInputs['archive']['plan'], 'site'> {
  const { selection, kind, template, merged, replace } = options;
  return {
    selection:
      selection !== null && 'ids' in selection
        ? { ids: selection.ids }
        : { filter: toExportStatementFilter(options) ?? {} },
    target: { kind, path: path.trim() },
    merged,
    replace: kind === 'zip' && replace,
    ...(template.trim() === '' ? {} : { template: template.trim() }),
  };
}
