import { SlidingTextWindow } from './text-window.ts';

/** Yields the lines of a text with any kind of line break, without loading the complete text. */
export function* splitLines(text: Iterable<string>): Generator<string> {
  const window = new SlidingTextWindow(text);
  let at = 0;
  for (;;) {
    at = window.ensure(at, 2);
    let end = findLineEnd(window.text, at);
    // A carriage return may be the first half of a line break, so the loop reads the character that follows it.
    while (end + 1 >= window.text.length && !window.reachedEnd) {
      const seen = end - at;
      at = window.extend(at);
      end = findLineEnd(window.text, at + seen);
    }
    yield window.text.slice(at, end);
    if (end >= window.text.length) return;
    at = end + (window.text.charCodeAt(end) === 13 && window.text.charCodeAt(end + 1) === 10 ? 2 : 1);
  }
}

function findLineEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end++;
  return end;
}
