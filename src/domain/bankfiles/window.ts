/** A text that is read from its start to its end, of which only the stretch that is looked at is held. */
export class TextWindow {
  /** The stretch. */
  text = '';
  /** Whether it reaches to the text's end. */
  ended = false;
  readonly #pieces: Iterator<string>;

  constructor(pieces: Iterable<string>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** Sees to it that so many characters are there from a place on, unless the text ends before. Gives where the place is now. */
  hold(at: number, length: number): number {
    if (this.ended || this.text.length - at >= length) return at;
    this.text = this.text.slice(at);
    while (this.text.length < length && !this.ended) {
      const { done, value } = this.#pieces.next();
      if (done) this.ended = true;
      else this.text += value;
    }
    return 0;
  }

  /** Takes in more of the text, as much again as there is behind a place. Gives where the place is now. */
  extend(at: number): number {
    return this.hold(at, (this.text.length - at) * 2 + 1);
  }
}
