import type { Inputs, Place, StatementFilter } from '../../contract/index.ts';
import type { ExportSelection } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive.exporting;

/** What is to be exported, where to, and under which names, as it stands in the dialog. */
export interface ExportOptions {
  /** As it came from the list of statements; null where it is chosen here, by the three that follow. */
  readonly selection: ExportSelection | null;
  readonly state: 'closed' | 'paid' | 'unpaid';
  readonly from: string;
  readonly until: string;
  readonly kind: 'folder' | 'zip';
  /** Null until somebody chose: then the usual place is taken. */
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

/** The usual place: in the user's documents, under the day it is. */
export function defaultExportPath(
  place: Place | undefined,
  kind: ExportOptions['kind'],
  today: string,
): string {
  if (place === undefined) return '';
  const sign = place.path.includes('\\') && !place.path.includes('/') ? '\\' : '/';
  const folder = place.path.endsWith(sign) ? place.path : place.path + sign;
  return `${folder}statements-${today}${kind === 'zip' ? '.zip' : ''}`;
}

/** The filter that is meant; null where statements were picked one by one. */
export function toStatementFilter({ selection, state, from, until }: ExportOptions): StatementFilter | null {
  if (selection !== null) return 'filter' in selection ? selection.filter : null;
  return {
    state: state === 'closed' ? ['unpaid', 'paid'] : [state],
    ...(from.trim() === '' ? {} : { since: from.trim() }),
    ...(until.trim() === '' ? {} : { until: until.trim() }),
  };
}

/** What is wrong with a day that was typed; null where nothing is. */
export function validateDay(day: string): string | null {
  const written = day.trim();
  if (written === '') return null;
  const at = /^\d{4}-\d\d-\d\d$/.test(written) ? Date.parse(`${written}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written) ? null : text.dateWrong;
}

/** Why it cannot be looked at yet; null where it can. */
export function validateExportOptions(orders: ExportOptions, path: string): string | null {
  return (
    validateDay(orders.from) ?? validateDay(orders.until) ?? (path.trim() === '' ? text.placeNeeded : null)
  );
}

export function toExportPlanInput(
  orders: ExportOptions,
  path: string,
): Omit<Inputs['archive']['plan'], 'site'> {
  const { selection, kind, template, merged, replace } = orders;
  return {
    selection:
      selection !== null && 'ids' in selection
        ? { ids: selection.ids }
        : { filter: toStatementFilter(orders) ?? {} },
    target: { kind, path: path.trim() },
    merged,
    replace: kind === 'zip' && replace,
    ...(template.trim() === '' ? {} : { template: template.trim() }),
  };
}
