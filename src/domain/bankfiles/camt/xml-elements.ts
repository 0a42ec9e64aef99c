import { SaxesParser } from 'saxes';
import { MAX_XML_DEPTH } from '../model/limits.ts';
import { SlidingTextWindow } from '../text/text-window.ts';

/** An XML element without its namespace prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
  readonly line: number;
}

/** Error that ends the reading of an invalid XML file. */
export class XmlReadError extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const ATTRIBUTES_CAP = 32;
const CHUNK_LENGTH = 1 << 16;

/**
 * Calls `opened` for every opening tag and `closed` for every complete element of an XML text. If `closed` returns
 * true, the element is not added to its parent, which limits memory. Throws XmlReadError for DOCTYPE, custom
 * entities, nesting deeper than 64, more than 32 attributes and malformed XML.
 */
export function walkXml(
  text: Iterable<string>,
  opened: (element: XmlElement) => void,
  closed: (element: XmlElement, path: readonly XmlElement[]) => boolean,
): void {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const open: XmlElement[] = [];
  let attributes = 0;
  const refuse = (message: string): never => {
    throw new XmlReadError(message, parser.line);
  };
  parser.on('doctype', () => refuse('The file contains a DOCTYPE, which bank files never have.'));
  parser.on('attribute', () => {
    if (++attributes > ATTRIBUTES_CAP) refuse('An element has too many attributes.');
  });
  parser.on('opentag', (tag) => {
    attributes = 0;
    if (open.length >= MAX_XML_DEPTH)
      refuse(`The file has more than ${MAX_XML_DEPTH} levels of nested elements.`);
    const name = tag.name.slice(tag.name.indexOf(':') + 1);
    const element: XmlElement = {
      name,
      attributes: tag.attributes,
      children: [],
      text: '',
      line: parser.line,
    };
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
    // Writes blocks of a fixed size, because the parser reports error positions relative to its input.
    const window = new SlidingTextWindow(text);
    for (
      let at = window.ensure(0, CHUNK_LENGTH);
      at < window.text.length;
      at = window.ensure(at + CHUNK_LENGTH, CHUNK_LENGTH)
    )
      parser.write(window.text.slice(at, at + CHUNK_LENGTH));
    parser.close();
  } catch (error) {
    if (error instanceof XmlReadError) throw error;
    const reason =
      error instanceof Error
        ? error.message.replace(/^[\d:]+\s*/, '').replace(/\.$/, '')
        : 'it is not well-formed';
    throw new XmlReadError(`The file is incomplete or is not well-formed XML: ${reason}.`, parser.line);
  }
}

/** Returns the first descendant at a path of element names, for example `findXmlElement(entry, 'BookgDt', 'Dt')`. */
export function findXmlElement(
  element: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  let at = element;
  for (const name of path) at = at?.children.find((child) => child.name === name);
  return at;
}

export const findXmlChildren = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** Returns the trimmed text of the element at a path; null if there is none. */
export const findXmlText = (element: XmlElement | undefined, ...path: readonly string[]): string | null =>
  findXmlElement(element, ...path)
    ?.text.replace(/\s+/g, ' ')
    .trim() || null;

/** Returns the text of the first given element path that has one; null if none has. */
export function findFirstXmlText(
  element: XmlElement | undefined,
  ...paths: readonly (readonly string[])[]
): string | null {
  for (const path of paths) {
    const text = findXmlText(element, ...path);
    if (text !== null) return text;
  }
  return null;
}
