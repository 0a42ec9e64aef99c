import type { Inputs, Place, StatementFilter } from '../../contract/index.ts';
import type { ExportSelection } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive.exportDialog;

/** Options entered in the export dialog. */
export interface ExportOptions {
  /** Selection from the list of statements. If null, state, from and until select the statements. */
  readonly selection: ExportSelection | null;
  readonly state: 'closed' | 'paid' | 'unpaid';
  readonly from: string;
  readonly until: string;
  readonly kind: 'folder' | 'zip';
  /** Null until the user chooses a destination. Until then, the default path applies. */
  readonly path: string | null;
  readonly template: string;
  readonly merged: boolean;
  readonly replace: boolean;
}

export function createExportOptions(selection: ExportSelection | null): ExportOptions {
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

/** Returns the default destination in a folder, named after the current day. */
export function defaultExportPath(
  folder: Place | undefined,
  kind: ExportOptions['kind'],
  today: string,
): string {
  if (folder === undefined) return '';
  return joinPath(folder.path, `statements-${today}${kind === 'zip' ? '.zip' : ''}`);
}

/** Appends a name to a folder with the folder's own path separator. */
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

/** Returns the error of an entered day, or null if the day is empty or valid. */
export function validateDayInput(day: string): string | null {
  const trimmed = day.trim();
  if (trimmed === '') return null;
  const ms = /^\d{4}-\d\d-\d\d$/.test(trimmed) ? Date.parse(`${trimmed}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(trimmed) ? null : text.dateWrong;
}

/** Returns why the export cannot be planned yet, or null. */
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
): Omit<Inputs['archive']['plan'], 'site'> {
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
