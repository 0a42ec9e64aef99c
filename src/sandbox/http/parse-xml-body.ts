import { SaxesParser } from 'saxes';

/** Thrown if a request body cannot be accepted. Carries the HTTP status of the response. */
export class RefusedRequestBodyError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface OpenElement {
  readonly name: string;
  readonly type: string;
  readonly nil: boolean;
  readonly children: [name: string, value: unknown][];
  text: string;
}

const MAX_DEPTH = 16;

/** Parses an XML body: `<ids type="array"><id type="integer">1</id></ids>` becomes `{ ids: [1] }`. */
export function parseXmlBody(text: string): unknown {
  const stack: OpenElement[] = [{ name: '', type: '', nil: false, children: [], text: '' }];
  const parser = new SaxesParser();
  parser.on('doctype', () => refuse());
  parser.on('error', () => refuse());
  parser.on('opentag', ({ name, attributes }) => {
    if (stack.length > MAX_DEPTH) refuse();
    const nil = attributes['nil'] === 'true';
    stack.push({ name, type: attributes['type'] ?? '', nil, children: [], text: '' });
  });
  const appendText = (chunk: string): void => {
    (stack.at(-1) as OpenElement).text += chunk;
  };
  parser.on('text', appendText);
  parser.on('cdata', appendText);
  parser.on('closetag', () => {
    const closed = stack.pop() as OpenElement;
    (stack.at(-1) as OpenElement).children.push([closed.name, decodeElement(closed)]);
  });
  parser.write(text).close();
  return Object.fromEntries((stack[0] as OpenElement).children);
}

function decodeElement({ type, nil, children, text }: OpenElement): unknown {
  if (nil) return null;
  if (type === 'array') return children.map(([, value]) => value);
  if (children.length > 0) return Object.fromEntries(children);
  if (type === 'integer' && /^\s*-?\d+\s*$/.test(text)) return Number(text);
  if (type === 'boolean') return text.trim() === 'true';
  return text;
}

function refuse(): never {
  throw new RefusedRequestBodyError(400, 'Request: is not well-formed XML.');
}
