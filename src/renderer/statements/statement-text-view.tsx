import { useEffect, useRef } from 'react';
import { createSearchPattern } from '../../domain/text-search/index.ts';
import { usePdfSearchState } from '../pdf/pdf-search-state.ts';

/** Shows the text of a statement as received from the service, with search matches highlighted. */
export function StatementTextView({ text }: { readonly text: string }) {
  const { open, words, eachWord, matchCase, wholeWord } = usePdfSearchState();
  const pattern = open
    ? createSearchPattern({ text: words, each_word: eachWord, match_case: matchCase, whole_word: wholeWord })
    : null;
  const container = useRef<HTMLPreElement>(null);
  const searchSource = pattern?.source ?? '';
  useEffect(() => {
    if (searchSource !== '') container.current?.querySelector('mark')?.scrollIntoView({ block: 'center' });
  }, [searchSource]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre ref={container} className="statement-text" tabIndex={0}>
      <code>{pattern === null ? text : highlightMatches(text.normalize('NFD'), pattern)}</code>
    </pre>
  );
}

function highlightMatches(text: string, pattern: RegExp) {
  let from = 0;
  const pieces = [...text.matchAll(pattern)].flatMap(({ index, 0: hit }) => {
    const before = text.slice(from, index);
    from = index + hit.length;
    return [before, <mark key={index}>{hit}</mark>];
  });
  return [...pieces, text.slice(from)];
}
