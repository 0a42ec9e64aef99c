/** A sliding window over a text that is read from start to end. Only the current part is in memory. */
export class SlidingTextWindow {
  text = '';
  /** True if the window includes the end of the text. */
  reachedEnd = false;
  readonly #chunks: Iterator<string>;

  constructor(chunks: Iterable<string>) {
    this.#chunks = chunks[Symbol.iterator]();
  }

  /** Makes `length` characters available from a position, unless the text ends. Returns the position's new index. */
  ensure(at: number, length: number): number {
    if (this.reachedEnd || this.text.length - at >= length) return at;
    this.text = this.text.slice(at);
    while (this.text.length < length && !this.reachedEnd) {
      const { done, value } = this.#chunks.next();
      if (done) this.reachedEnd = true;
      else this.text += value;
    }
    return 0;
  }

  /** Reads more text, doubling the amount available after a position. Returns the new index of this position. */
  extend(at: number): number {
    return this.ensure(at, (this.text.length - at) * 2 + 1);
  }
}
