import { SaxesParser } from 'saxes';
import { MAX_DEPTH } from '../limits.ts';
import { TextWindow } from '../window.ts';

/** An XML element without its namespace prefix. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
  /** Line of its opening tag. */
  readonly line: number;
}

/** Thrown to stop reading an XML file. */
export class XmlRefusal extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const ATTRIBUTES_CAP = 32;
const PIECE = 1 << 16;

/**
 * Walks an XML text and calls `opened` for every opening tag and `closed` for every complete element. If `closed` returns
 * true, the element is not kept in its parent, which limits memory. Refuses DOCTYPE, custom entities, nesting deeper than
 * 64, more than 32 attributes, and malformed XML.
 */
export function walkXml(
  text: Iterable<string>,
  opened: (element: Element) => void,
  closed: (element: Element, path: readonly Element[]) => boolean,
): void {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const open: Element[] = [];
  let attributes = 0;
  const refuse = (message: string): never => {
    throw new XmlRefusal(message, parser.line);
  };
  parser.on('doctype', () => refuse('It holds a DOCTYPE, which a bank’s file never does.'));
  parser.on('attribute', () => {
    if (++attributes > ATTRIBUTES_CAP) refuse('An element has too many attributes.');
  });
  parser.on('opentag', (tag) => {
    attributes = 0;
    if (open.length >= MAX_DEPTH) refuse(`It is nested deeper than ${MAX_DEPTH}.`);
    const name = tag.name.slice(tag.name.indexOf(':') + 1);
    const element: Element = { name, attributes: tag.attributes, children: [], text: '', line: parser.line };
    open.push(element);
    opened(element);
  });
  const add = (more: string) => {
    const top = open.at(-1);
    if (top !== undefined) top.text += more;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const element = open.pop();
    if (element !== undefined && !closed(element, open)) open.at(-1)?.children.push(element);
  });
  try {
    // Always the same amount, because the parser reports error positions relative to its input.
    const window = new TextWindow(text);
    for (let at = window.hold(0, PIECE); at < window.text.length; at = window.hold(at + PIECE, PIECE)) {
      parser.write(window.text.slice(at, at + PIECE));
    }
    parser.close();
  } catch (error) {
    if (error instanceof XmlRefusal) throw error;
    const reason =
      error instanceof Error
        ? error.message.replace(/^[\d:]+\s*/, '').replace(/\.$/, '')
        : 'it is not well-formed';
    throw new XmlRefusal(`It is cut off or is not well-formed XML: ${reason}.`, parser.line);
  }
}

/** Returns the first descendant along a path of names: `find(entry, 'BookgDt', 'Dt')`. */
export function find(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  let at = element;
  for (const name of path) at = at?.children.find((child) => child.name === name);
  return at;
}

export const all = (element: Element | undefined, name: string): readonly Element[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** Returns the trimmed text at a path, or null. */
export const textAt = (element: Element | undefined, ...path: readonly string[]): string | null =>
  find(element, ...path)
    ?.text.replace(/\s+/g, ' ')
    .trim() || null;

/** Returns the first text among several paths. */
export function firstText(
  element: Element | undefined,
  ...paths: readonly (readonly string[])[]
): string | null {
  for (const path of paths) {
    const text = textAt(element, ...path);
    if (text !== null) return text;
  }
  return null;
}
