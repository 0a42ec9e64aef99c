import type { FontName, Measure, Run } from './fonts.ts';

/** What pages are drawn on; a counter of pages takes its place in the first of the two passes. */
export interface Canvas {
  addPage(): void;
  /** One line of text at a place, in points from the top left. */
  write(run: Run, x: number, y: number, size: number, colour: string): void;
  line(x1: number, y1: number, x2: number, y2: number, width: number, colour: string): void;
  fill(x: number, y: number, width: number, height: number, colour: string): void;
  /** Names the page for the outline. */
  mark(title: string): void;
}

export interface Style {
  readonly weight?: 'plain' | 'bold';
  readonly size?: number;
  readonly colour?: string;
  readonly align?: 'left' | 'right';
}

/** A4 on its side, in points. */
export const PAGE = { width: 841.89, height: 595.28, left: 36, right: 36, top: 54, bottom: 40 } as const;
const INNER = PAGE.width - PAGE.left - PAGE.right;
const SMALL = 7.5;
const LEADING = 1.3;
const GREY = '#666666';
const RULE = '#bbbbbb';

export interface SheetColumn {
  readonly header: string;
  readonly wide: number;
  readonly align: 'left' | 'right';
}

export interface SheetRow {
  readonly cells: readonly string[];
  readonly bold?: boolean;
  readonly ruled?: boolean;
}

/** Pages with a header and a footer, filled from the top; what does not fit goes to the next one. */
export class Sheet {
  readonly #canvas: Canvas;
  readonly #measure: Measure;
  readonly #head: { left: string; right: string; foot: string };
  /** Null in the first pass. */
  readonly #pages: number | null;
  #page = 0;
  #y: number = PAGE.top;
  #title = '';

  constructor(
    canvas: Canvas,
    measure: Measure,
    head: { left: string; right: string; foot: string },
    pages: number | null,
  ) {
    this.#canvas = canvas;
    this.#measure = measure;
    this.#head = head;
    this.#pages = pages;
  }

  get pages(): number {
    return this.#page;
  }

  /** Begins a page under a title, which stands in the header of those that follow where it says more than the header does. */
  begin(title: string): void {
    this.#title = '';
    this.#newPage();
    this.#title = title === this.#head.left ? '' : title;
    this.#canvas.mark(title);
    this.text(title, { weight: 'bold', size: 15 });
    this.space(4);
  }

  #newPage(): void {
    this.#page++;
    this.#canvas.addPage();
    this.#y = PAGE.top;
    const { left, right, foot } = this.#head;
    const half = INNER * 0.4;
    this.#put(this.#one(left, half), PAGE.left, 26, half, { size: 8, colour: GREY });
    this.#put(this.#one(this.#title, half), PAGE.left + half, 26, INNER * 0.35, { size: 8, colour: GREY });
    this.#put(right, PAGE.left, 26, INNER, { size: 8, colour: GREY, align: 'right' });
    this.#canvas.line(PAGE.left, 40, PAGE.width - PAGE.right, 40, 0.5, RULE);
    const y = PAGE.height - 28;
    this.#put(foot, PAGE.left, y, INNER * 0.8, { size: 7, colour: GREY });
    const of = this.#pages ?? 9999;
    this.#put(`Page ${this.#page} of ${of}`, PAGE.left, y, INNER, { size: 8, colour: GREY, align: 'right' });
  }

  #one(text: string, width: number): string {
    return this.#measure.lines(text, 'plain', 8, width - 8, 1)[0] ?? '';
  }

  space(points: number): void {
    this.#y += points;
  }

  #room(height: number): void {
    if (this.#y + height > PAGE.height - PAGE.bottom) this.#newPage();
  }

  /** A paragraph over the width of the page. */
  text(text: string, style: Style = {}): void {
    const { weight = 'plain', size = 9 } = style;
    for (const line of this.#measure.lines(text, weight, size, INNER, 100)) {
      this.#room(size * LEADING);
      this.#put(line, PAGE.left, this.#y, INNER, style);
      this.#y += size * LEADING;
    }
  }

  /** A label and its text beside it. */
  pair(label: string, text: string): void {
    const width = INNER - 150;
    const lines = this.#measure.lines(text, 'plain', 9, width, 60);
    for (const [at, line] of lines.entries()) {
      this.#room(9 * LEADING);
      if (at === 0) this.#put(this.#one(label, 150), PAGE.left, this.#y, 145, { weight: 'bold', size: 9 });
      this.#put(line, PAGE.left + 150, this.#y, width, { size: 9 });
      this.#y += 9 * LEADING;
    }
    this.#y += 2;
  }

  /** A table; its head is repeated on every page. Gives how many rows there were, of which at most `most` are drawn. */
  table(columns: readonly SheetColumn[], rows: Iterable<SheetRow>, most: number): number {
    const parts = columns.reduce((sum, { wide }) => sum + wide, 0);
    const widths = columns.map(({ wide }) => (wide / parts) * INNER);
    const starts = widths.map((_, at) => widths.slice(0, at).reduce((sum, each) => sum + each, PAGE.left));
    const head: SheetRow = { cells: columns.map(({ header }) => header), bold: true };
    const draw = (row: SheetRow, shaded: boolean) => {
      const weight = row.bold ? 'bold' : 'plain';
      const sizes = row.cells.map((cell, at) => this.#fit(cell, columns[at]!, widths[at]! - 6, weight));
      const lines = row.cells.map((cell, at) =>
        this.#measure.lines(cell, weight, sizes[at]!, widths[at]! - 6, 12),
      );
      const height = Math.max(...lines.map((each) => each.length)) * SMALL * LEADING + 3;
      const before = this.#page;
      this.#room(height + (shaded ? SMALL * 3 : 0));
      if (this.#page !== before && !shaded) draw(head, true);
      if (shaded) this.#canvas.fill(PAGE.left, this.#y - 1, INNER, height, '#eeeeee');
      if (row.ruled)
        this.#canvas.line(PAGE.left, this.#y - 1.5, PAGE.left + INNER, this.#y - 1.5, 0.7, '#000000');
      for (const [at, each] of lines.entries()) {
        for (const [number, line] of each.entries()) {
          const { align } = columns[at]!;
          const y = this.#y + number * SMALL * LEADING;
          this.#put(line, starts[at]! + 3, y, widths[at]! - 6, { weight, size: sizes[at]!, align });
        }
      }
      this.#y += height;
      this.#canvas.line(PAGE.left, this.#y - 2, PAGE.left + INNER, this.#y - 2, 0.25, RULE);
    };
    draw(head, true);
    let count = 0;
    for (const row of rows) if (++count <= most) draw(row, false);
    return count;
  }

  /** Figures are never broken: a very long one is written smaller. */
  #fit(cell: string, { align }: SheetColumn, width: number, weight: 'plain' | 'bold'): number {
    if (align === 'left') return SMALL;
    const wide = this.#measure.width(cell, weight, SMALL);
    return wide <= width ? SMALL : Math.max(3, (SMALL * width) / wide);
  }

  #put(text: string, x: number, y: number, width: number, style: Style): void {
    const { weight = 'plain', size = 9, colour = '#000000', align = 'left' } = style;
    let at = align === 'left' ? x : x + width - this.#measure.width(text, weight, size);
    for (const run of this.#measure.runs(text, weight)) {
      this.#canvas.write(run, at, y, size, colour);
      at += this.#measure.width(run.text, weight, size);
    }
  }
}

export type { FontName };
