/** A sliding window over a text that is read from start to end. Only the current part is in memory. */
export class TextWindow {
  /** The part of the text that is currently in memory. */
  text = '';
  /** True if the window includes the end of the text. */
  reachedEnd = false;
  readonly #pieces: Iterator<string>;

  constructor(pieces: Iterable<string>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /**
   * Ensures that `length` characters are available from a position, unless the text ends earlier. Returns the new index
   * of the position.
   */
  ensure(at: number, length: number): number {
    if (this.reachedEnd || this.text.length - at >= length) return at;
    this.text = this.text.slice(at);
    while (this.text.length < length && !this.reachedEnd) {
      const { done, value } = this.#pieces.next();
      if (done) this.reachedEnd = true;
      else this.text += value;
    }
    return 0;
  }

  /** Reads more text, doubling the amount available after a position. Returns the new index of the position. */
  extend(at: number): number {
    return this.ensure(at, (this.text.length - at) * 2 + 1);
  }
}
