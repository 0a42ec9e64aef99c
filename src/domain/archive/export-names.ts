import { MAX_PATH_PART_BYTES, toSafePathPart, toSafePathText } from '../text/safe-file-name.ts';

/** Fields of a statement that file names can use. Dates are calendar dates, null if the service sent none. */
export interface StatementNameFields {
  readonly id: number;
  readonly subscription_id: number;
  readonly opened: string | null;
  readonly closed: string | null;
  readonly settled: string | null;
  readonly customer: string;
  readonly organization: string | null;
}

export interface ExportNameTemplate {
  /** Template text that file names are built from. `{id}` is appended if necessary, so that every file name is unique. */
  readonly text: string;
  /** Returns the folder names and the file name of a statement. Each is valid on every operating system. */
  toPathParts(statement: StatementNameFields): string[];
}

export const DEFAULT_EXPORT_NAME_TEMPLATE =
  '{closed:YYYY}/{closed:YYYY-MM}/{closed:YYYY-MM-DD}_{customer}_{subscription}_{id}';

const FIELDS = ['id', 'subscription', 'customer', 'organization', 'opened', 'closed', 'settled'] as const;
type Field = (typeof FIELDS)[number];
const DATE_FIELDS: readonly Field[] = ['opened', 'closed', 'settled'];
const DATE_FORMATS = ['YYYY', 'MM', 'DD', 'YYYY-MM', 'YYYY-MM-DD', 'YYYYMMDD'] as const;
const FIELD = /\{([^{}]*)\}/g;

/** Matches a template that ends in `{id}` after a separator, so that file names end in the statement's id. */
const ID_AT_END = /^(?:(.+)([ _.-]))?\{id\}$/;

/** Maximum number of path parts, including the file name. Chosen by judgment. */
const MAX_PARTS = 8;

/**
 * Parses a name template, for example `{closed:YYYY}/{customer}_{id}`. Folders are separated by `/`; `.pdf` is
 * appended. Returns an error message if the template is invalid.
 */
export function parseExportNameTemplate(text: string): ExportNameTemplate | string {
  const trimmed = text.trim().replace(/\.pdf$/i, '');
  const error = findTemplateError(trimmed);
  if (error !== null) return error;
  const complete = ID_AT_END.test(trimmed.slice(trimmed.lastIndexOf('/') + 1)) ? trimmed : `${trimmed}_{id}`;
  const parts = complete.split('/');
  const file = parts.pop() as string;
  return {
    text: complete,
    toPathParts: (statement) => [
      ...parts.map((part) => toSafePathPart(fillFields(part, statement), 'undated')),
      toFileName(file, statement),
    ],
  };
}

function findTemplateError(text: string): string | null {
  if (text === '')
    return 'The name template is empty. Enter, for example, {closed:YYYY-MM-DD}_{customer}_{id}.';
  if (text.length > 400) return 'The name template is too long. Enter at most 400 characters.';
  const parts = text.split('/');
  if (parts.length > MAX_PARTS)
    return `The name template has too many folders. Use at most ${MAX_PARTS - 1}.`;
  if (parts.some((part) => part.trim() === '' || /^\.+$/.test(part.trim())))
    return 'The name template has an empty folder name. It must not start or end with “/” or contain “..”.';
  for (const [placeholder, inner = ''] of text.matchAll(FIELD)) {
    const [name, ...format] = inner.split(':');
    const field = FIELDS.find((each) => each === name);
    if (field === undefined) return `Unknown field ${placeholder}. Use ${listFields(FIELDS)}.`;
    if (format.length === 0) continue;
    if (!DATE_FIELDS.includes(field)) return `${placeholder} cannot have a format. Only dates can.`;
    if (!DATE_FORMATS.some((each) => each === format.join(':')))
      return `${placeholder} has an unknown date format. Use ${DATE_FORMATS.join(', ')}.`;
  }
  return /[{}]/.test(text.replace(FIELD, ''))
    ? 'The name template has an unmatched brace. Write fields as {id}.'
    : null;
}

const listFields = (fields: readonly string[]) => fields.map((field) => `{${field}}`).join(', ');

/** Returns the file name of a statement. Long names are truncated before the id, which always stays complete and last. */
function toFileName(template: string, statement: StatementNameFields): string {
  const [, before = '', separator = ''] = ID_AT_END.exec(template) ?? [];
  const tail = `${separator}${statement.id}.pdf`;
  if (before === '') return `${statement.id}.pdf`;
  return toSafePathPart(fillFields(before, statement), 'statement', MAX_PATH_PART_BYTES - tail.length) + tail;
}

function fillFields(part: string, statement: StatementNameFields): string {
  return part.replace(FIELD, (_, inner: string) => {
    const [name, format = 'YYYY-MM-DD'] = inner.split(':');
    switch (name as Field) {
      case 'id':
        return String(statement.id);
      case 'subscription':
        return String(statement.subscription_id);
      case 'customer':
        return toNameText(statement.customer) || toNameText(statement.organization) || 'unnamed';
      case 'organization':
        return toNameText(statement.organization) || toNameText(statement.customer) || 'unnamed';
      case 'opened':
        return formatDate(statement.opened, format);
      case 'closed':
        return formatDate(statement.closed, format);
      case 'settled':
        return formatDate(statement.settled, format);
    }
  });
}

/** Removes leading spaces and combining marks, which would attach to the character before the name. */
const toNameText = (name: string | null): string =>
  toSafePathText(name ?? '').replace(/^[ \p{M}]+| +$/gu, '');

function formatDate(date: string | null, format: string): string {
  if (date === null) return 'undated';
  const [year = '', month = '', day = ''] = date.split('-');
  return format.replace('YYYY', year).replace('MM', month).replace('DD', day);
}

/**
 * Returns a function that spells folder names differing only in case like the first occurrence. On a case-insensitive
 * file system they are one folder, and the manifest would not match the files.
 */
export function createFolderCaseUnifier(): (path: string) => string {
  const spellings = new Map<string, string>();
  return (filePath) => {
    const folders = filePath.split('/');
    const file = folders.pop() as string;
    let path = '';
    for (const folder of folders) {
      const folderPath = path + folder;
      // Upper case, then lower case, makes ß equal to SS and ſ equal to s, as file systems treat them.
      const key = folderPath.toUpperCase().toLowerCase();
      const first = spellings.get(key) ?? folderPath;
      spellings.set(key, first);
      path = `${first}/`;
    }
    return path + file;
  };
}
