/**
 * Removes the parts of a statement's HTML that the sandboxed frame would block. Security depends on the frame, not on
 * this function. Scans tags only, because the browser would report each inline style to a DOM parser as a violation.
 */
export function stripBlockedContent(html: string): string {
  let stripped = '';
  let removedElement: string | null = null;
  for (const token of tokenize(html)) {
    if (removedElement !== null) {
      if (typeof token !== 'string' && token.isClosing && token.name === removedElement)
        removedElement = null;
    } else if (typeof token !== 'string' && removedElements.has(token.name)) {
      removedElement = token.isClosing || token.isSelfClosing ? null : token.name;
    } else {
      stripped += formatToken(token);
    }
  }
  return stripped;
}

/** HTML elements that are removed together with their content. */
const removedElements = new Set(['script', 'style', 'iframe', 'object', 'noscript', 'audio', 'video']);
/** HTML elements that are removed and have no content. */
const removedTags = new Set(['link', 'meta', 'base', 'embed', 'frame', 'source', 'track', 'param']);

function formatToken(token: string | Tag): string {
  if (typeof token === 'string') return token;
  if (token.name === 'img') return formatImage(token);
  return removedTags.has(token.name) ? '' : formatTag(token);
}

/** Returns the distinct URLs that the HTML links to, ignoring links within the document. */
export function extractLinks(html: string): string[] {
  const links = tokenize(html).flatMap((token) => {
    if (typeof token === 'string' || token.name !== 'a' || token.isClosing) return [];
    return token.attributes.find(([name]) => name === 'href')?.[1] ?? [];
  });
  const urls = links
    .map((link) => decodeEntities(link).trim())
    .filter((link) => link !== '' && !link.startsWith('#'));
  return [...new Set(urls)];
}

interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
  readonly isSelfClosing: boolean;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

const ATTRIBUTE = /([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** Splits HTML into text and tags, in their original order. */
function tokenize(html: string): (string | Tag)[] {
  const tokens: (string | Tag)[] = [];
  let from = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const name = /^<(\/?)([a-z][a-z0-9]*)/i.exec(html.slice(at, at + 32));
    if (!name) continue;
    const end = findTagEnd(html, at);
    if (end < 0) break;
    if (at > from) tokens.push(html.slice(from, at));
    const inner = html.slice(at + name[0].length, end);
    tokens.push({
      name: (name[2] as string).toLowerCase(),
      isClosing: name[1] === '/',
      isSelfClosing: inner.endsWith('/'),
      attributes: [...inner.matchAll(ATTRIBUTE)].map(
        ([, key = '', double, single, bare]) => [key.toLowerCase(), double ?? single ?? bare ?? ''] as const,
      ),
    });
    from = end + 1;
    at = end;
  }
  tokens.push(html.slice(from));
  return tokens;
}

/** Returns the index of the tag's closing bracket outside of quoted attribute values, or -1 if there is none. */
function findTagEnd(html: string, at: number): number {
  let quote = '';
  for (let index = at + 1; index < html.length; index += 1) {
    const character = html[index] as string;
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '>') return index;
    else if ((character === '"' || character === "'") && /[=\s]/.test(html[index - 1] ?? ''))
      quote = character;
  }
  return -1;
}

function formatTag(tag: Tag): string {
  if (tag.isClosing) return `</${tag.name}>`;
  const allowed = tag.attributes.filter(
    ([name]) => name !== 'style' && name !== 'srcset' && !name.startsWith('on'),
  );
  const attributes = allowed.map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`);
  return `<${tag.name}${attributes.join('')}>`;
}

/** Returns an embedded image unchanged. Replaces any other image with its alternative text. */
function formatImage(tag: Tag): string {
  const value = (attribute: string) => tag.attributes.find(([name]) => name === attribute)?.[1] ?? '';
  if (/^\s*data:image\//i.test(value('src'))) return formatTag(tag);
  return value('alt').replaceAll('<', '&lt;');
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
};

function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|apos);/g, (entity, name: string) => entities[name] ?? entity);
}
