import { SaxesParser } from 'saxes';
import { RefusedBodyError } from './refused-body-error.ts';

interface Open {
  readonly name: string;
  readonly type: string;
  readonly nil: boolean;
  readonly children: [name: string, value: unknown][];
  text: string;
}

const DEPTH = 16;

/**
 * Parses an XML request body. For example, `<ids type="array"><id type="integer">1</id></ids>` becomes `{ ids: [1] }`.
 * Rejects a DOCTYPE.
 */
export function parseXmlBody(text: string): unknown {
  const stack: Open[] = [{ name: '', type: '', nil: false, children: [], text: '' }];
  const parser = new SaxesParser();
  parser.on('doctype', () => refuse());
  parser.on('error', () => refuse());
  parser.on('opentag', ({ name, attributes }) => {
    if (stack.length > DEPTH) refuse();
    stack.push({
      name,
      type: attributes['type'] ?? '',
      nil: attributes['nil'] === 'true',
      children: [],
      text: '',
    });
  });
  const take = (chunk: string): void => {
    (stack.at(-1) as Open).text += chunk;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', () => {
    const closed = stack.pop() as Open;
    (stack.at(-1) as Open).children.push([closed.name, decoded(closed)]);
  });
  parser.write(text).close();
  return Object.fromEntries((stack[0] as Open).children);
}

function decoded({ type, nil, children, text }: Open): unknown {
  if (nil) return null;
  if (type === 'array') return children.map(([, value]) => value);
  if (children.length > 0) return Object.fromEntries(children);
  if (type === 'integer' && /^\s*-?\d+\s*$/.test(text)) return Number(text);
  if (type === 'boolean') return text.trim() === 'true';
  return text;
}

function refuse(): never {
  throw new RefusedBodyError(400, 'Request: is not well-formed XML.');
}
