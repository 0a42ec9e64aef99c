/** A text read from start to end, of which only the current part is held in memory. */
export class TextWindow {
  /** The part held in memory. */
  text = '';
  /** True if it reaches the end of the text. */
  reachedEnd = false;
  readonly #pieces: Iterator<string>;

  constructor(pieces: Iterable<string>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /**
   * Ensures that this many characters are available from a position, unless the text ends before. Returns the new index
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

  /** Reads more of the text, as much again as there is after a position. Returns the new index of the position. */
  extend(at: number): number {
    return this.ensure(at, (this.text.length - at) * 2 + 1);
  }
}
