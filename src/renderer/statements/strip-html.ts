/**
 * A statement's HTML without what its locked frame would refuse anyway, so that no broken pictures are seen and no refusals are
 * reported. It reads tags by their text and understands no more of HTML than that: it is for the eye, and protects nothing.
 * (A parser of the page's own would not do: it reports each inline style it meets.)
 */
export function stripBlockedContent(html: string): string {
  let plain = '';
  let within: string | null = null;
  for (const piece of tokenize(html)) {
    if (typeof piece === 'string') {
      if (!within) plain += piece;
    } else if (within) {
      if (piece.closing && piece.name === within) within = null;
    } else if (removedElements.has(piece.name)) {
      within = piece.closing || piece.empty ? null : piece.name;
    } else if (piece.name === 'img') plain += formatImage(piece);
    else if (!removedTags.has(piece.name)) plain += formatTag(piece);
  }
  return plain;
}

/** The addresses that links lead to, each once. */
export function extractLinks(html: string): string[] {
  const links = tokenize(html).flatMap((piece) => {
    if (typeof piece === 'string' || piece.name !== 'a' || piece.closing) return [];
    return piece.attributes.find(([name]) => name === 'href')?.[1] ?? [];
  });
  const named = links
    .map((link) => decodeEntities(link).trim())
    .filter((link) => link !== '' && !link.startsWith('#'));
  return [...new Set(named)];
}

/** Left out with all that is in them. */
const removedElements = new Set(['script', 'style', 'iframe', 'object', 'noscript', 'audio', 'video']);
/** Left out alone. */
const removedTags = new Set(['link', 'meta', 'base', 'embed', 'frame', 'source', 'track', 'param']);

interface Tag {
  readonly name: string;
  readonly closing: boolean;
  readonly empty: boolean;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

const ATTRIBUTE = /([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** The text and the tags, in order. */
function tokenize(html: string): (string | Tag)[] {
  const pieces: (string | Tag)[] = [];
  let from = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const name = /^<(\/?)([a-z][a-z0-9]*)/i.exec(html.slice(at, at + 32));
    if (!name) continue;
    const end = findTagEnd(html, at);
    if (end < 0) break;
    if (at > from) pieces.push(html.slice(from, at));
    const inner = html.slice(at + name[0].length, end);
    pieces.push({
      name: (name[2] as string).toLowerCase(),
      closing: name[1] === '/',
      empty: inner.endsWith('/'),
      attributes: [...inner.matchAll(ATTRIBUTE)].map(
        ([, key = '', double, single, bare]) => [key.toLowerCase(), double ?? single ?? bare ?? ''] as const,
      ),
    });
    from = end + 1;
    at = end;
  }
  pieces.push(html.slice(from));
  return pieces;
}

/** Where a tag ends, past what is quoted in it; -1 where it does not. */
function findTagEnd(html: string, at: number): number {
  let quote = '';
  for (let place = at + 1; place < html.length; place += 1) {
    const letter = html[place] as string;
    if (quote) {
      if (letter === quote) quote = '';
    } else if (letter === '>') return place;
    else if ((letter === '"' || letter === "'") && /[=\s]/.test(html[place - 1] ?? '')) quote = letter;
  }
  return -1;
}

function formatTag(tag: Tag): string {
  if (tag.closing) return `</${tag.name}>`;
  const kept = tag.attributes.filter(
    ([name]) => name !== 'style' && name !== 'srcset' && !name.startsWith('on'),
  );
  const attributes = kept.map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`);
  return `<${tag.name}${attributes.join('')}>`;
}

/** A picture that it brings along stays; of one from outside, its words. */
function formatImage(tag: Tag): string {
  const value = (wanted: string) => tag.attributes.find(([name]) => name === wanted)?.[1] ?? '';
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
  return text.replace(/&(amp|lt|gt|quot|#39|apos);/g, (whole, name: string) => entities[name] ?? whole);
}
