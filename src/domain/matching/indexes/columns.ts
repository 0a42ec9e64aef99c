const MIN_CAPACITY = 1024;

/** Growable Int32 column. Starts with the expected length and doubles when it is full. */
export class IntColumn {
  #values: Int32Array;
  length = 0;

  constructor(expected = MIN_CAPACITY) {
    this.#values = new Int32Array(Math.max(MIN_CAPACITY, expected));
  }

  push(value: number): number {
    if (this.length === this.#values.length) {
      const wider = new Int32Array(this.length * 2);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.length] = value;
    return this.length++;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** Returns the values without copying them. The result is valid until the next push. */
  view(): Int32Array {
    return this.#values.subarray(0, this.length);
  }
}

/** Growable Float64 column for cents and ids. A separate class, so that the JIT compiler sees one kind of array. */
export class NumberColumn {
  #values: Float64Array;
  length = 0;

  constructor(expected = MIN_CAPACITY) {
    this.#values = new Float64Array(Math.max(MIN_CAPACITY, expected));
  }

  push(value: number): number {
    if (this.length === this.#values.length) {
      const wider = new Float64Array(this.length * 2);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.length] = value;
    return this.length++;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  view(): Float64Array {
    return this.#values.subarray(0, this.length);
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Maximum number of bytes per UTF-16 code unit in UTF-8. */
const MAX_UTF8_BYTES_PER_CODE_UNIT = 3;

/** Column of rarely read texts in a single byte buffer. A missing text is empty. */
export class TextColumn {
  #bytes = new Uint8Array(MIN_CAPACITY);
  #length = 0;
  readonly #from: IntColumn;

  constructor(expected?: number) {
    this.#from = new IntColumn(expected);
    this.#from.push(0);
  }

  push(text: string | null): void {
    if (text !== null && text !== '') {
      const maxLength = this.#length + text.length * MAX_UTF8_BYTES_PER_CODE_UNIT;
      if (maxLength > this.#bytes.length) {
        const wider = new Uint8Array(Math.max(maxLength, Math.ceil(this.#bytes.length * 1.5)));
        wider.set(this.#bytes.subarray(0, this.#length));
        this.#bytes = wider;
      }
      this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
    }
    this.#from.push(this.#length);
  }

  at(index: number): string {
    return decoder.decode(this.#bytes.subarray(this.#from.at(index), this.#from.at(index + 1)));
  }
}

/** Assigns numbers to texts in order of first occurrence. */
export class TextNumbering {
  readonly #numbers = new Map<string, number>();
  readonly texts: string[] = [];

  assignNumber(text: string): number {
    const knownNumber = this.#numbers.get(text);
    if (knownNumber !== undefined) return knownNumber;
    this.#numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  getText(number: number): string {
    return this.texts[number] as string;
  }
}

/** Maps numbers to rows, using open addressing with a chain of rows per number. Rows may be added in any order. */
export class NumberIndex {
  #keys: Float64Array;
  #heads: Int32Array;
  #used = 0;
  readonly #next: IntColumn;
  readonly #rows: IntColumn;

  constructor(expected = MIN_CAPACITY) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(MIN_CAPACITY, expected) * 2 + 2));
    this.#keys = new Float64Array(slots).fill(-1);
    this.#heads = new Int32Array(slots);
    this.#next = new IntColumn(expected);
    this.#rows = new IntColumn(expected);
  }

  add(key: number, row: number): void {
    if (this.#used * 2 >= this.#keys.length) this.#widen();
    const slot = this.#findSlot(key);
    if (this.#keys[slot] === -1) {
      this.#keys[slot] = key;
      this.#heads[slot] = -1;
      this.#used++;
    }
    this.#next.push(this.#heads[slot] as number);
    this.#heads[slot] = this.#rows.push(row);
  }

  /** Returns the first link in a number's chain; -1 if there is none. */
  findFirstLink(key: number): number {
    const slot = this.#findSlot(key);
    return this.#keys[slot] === -1 ? -1 : (this.#heads[slot] as number);
  }

  getNextLink(link: number): number {
    return this.#next.at(link);
  }

  getRow(link: number): number {
    return this.#rows.at(link);
  }

  #findSlot(key: number): number {
    const mask = this.#keys.length - 1;
    const high = (key / 4_294_967_296) | 0;
    let hash = Math.imul((key | 0) ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    while (this.#keys[slot] !== -1 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #widen(): void {
    const [keys, heads] = [this.#keys, this.#heads];
    this.#keys = new Float64Array(keys.length * 2).fill(-1);
    this.#heads = new Int32Array(keys.length * 2);
    for (let old = 0; old < keys.length; old++) {
      const key = keys[old] as number;
      if (key === -1) continue;
      const slot = this.#findSlot(key);
      this.#keys[slot] = key;
      this.#heads[slot] = heads[old] as number;
    }
  }
}
