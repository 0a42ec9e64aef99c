import type { FontName, TextMeasure, TextRun } from './fonts.ts';

/** Drawing surface of pages. In the first of two passes, a page counter takes its place. */
export interface PageCanvas {
  addPage(): void;
  /** Writes one line of text, in points from the top left. */
  write(run: TextRun, x: number, y: number, size: number, color: string): void;
  line(x1: number, y1: number, x2: number, y2: number, width: number, color: string): void;
  fill(x: number, y: number, width: number, height: number, color: string): void;
  /** Names the page in the outline. */
  mark(title: string): void;
}

export interface TextStyle {
  readonly weight?: 'plain' | 'bold';
  readonly size?: number;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

/** A4 landscape, in points. */
export const PAGE_SIZE = { width: 841.89, height: 595.28, left: 36, right: 36, top: 54, bottom: 40 } as const;
const INNER = PAGE_SIZE.width - PAGE_SIZE.left - PAGE_SIZE.right;
const SMALL = 7.5;
const LEADING = 1.3;
const GREY = '#666666';
const RULE = '#bbbbbb';

export interface TableLayoutColumn {
  readonly header: string;
  readonly wide: number;
  readonly align: 'left' | 'right';
}

export interface TableLayoutRow {
  readonly cells: readonly string[];
  readonly bold?: boolean;
  readonly ruled?: boolean;
}

/** Pages with header and footer, filled from the top. What does not fit moves to the next page. */
export class PageLayout {
  readonly #canvas: PageCanvas;
  readonly #measure: TextMeasure;
  readonly #head: { left: string; right: string; foot: string };
  /** Total number of pages. Null in the first pass. */
  readonly #pages: number | null;
  #page = 0;
  #y: number = PAGE_SIZE.top;
  #title = '';

  constructor(
    canvas: PageCanvas,
    measure: TextMeasure,
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

  /** Starts a page with a title. Following pages repeat the title in their header unless the header already says it. */
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
    this.#y = PAGE_SIZE.top;
    const { left, right, foot } = this.#head;
    const half = INNER * 0.4;
    this.#put(this.#one(left, half), PAGE_SIZE.left, 26, half, { size: 8, color: GREY });
    this.#put(this.#one(this.#title, half), PAGE_SIZE.left + half, 26, INNER * 0.35, {
      size: 8,
      color: GREY,
    });
    this.#put(right, PAGE_SIZE.left, 26, INNER, { size: 8, color: GREY, align: 'right' });
    this.#canvas.line(PAGE_SIZE.left, 40, PAGE_SIZE.width - PAGE_SIZE.right, 40, 0.5, RULE);
    const y = PAGE_SIZE.height - 28;
    this.#put(foot, PAGE_SIZE.left, y, INNER * 0.8, { size: 7, color: GREY });
    const of = this.#pages ?? 9999;
    this.#put(`Page ${this.#page} of ${of}`, PAGE_SIZE.left, y, INNER, {
      size: 8,
      color: GREY,
      align: 'right',
    });
  }

  #one(text: string, width: number): string {
    return this.#measure.lines(text, 'plain', 8, width - 8, 1)[0] ?? '';
  }

  space(points: number): void {
    this.#y += points;
  }

  #room(height: number): void {
    if (this.#y + height > PAGE_SIZE.height - PAGE_SIZE.bottom) this.#newPage();
  }

  /** Writes a paragraph over the width of the page. */
  text(text: string, style: TextStyle = {}): void {
    const { weight = 'plain', size = 9 } = style;
    for (const line of this.#measure.lines(text, weight, size, INNER, 100)) {
      this.#room(size * LEADING);
      this.#put(line, PAGE_SIZE.left, this.#y, INNER, style);
      this.#y += size * LEADING;
    }
  }

  /** Writes a label with its text beside it. */
  pair(label: string, text: string): void {
    const width = INNER - 150;
    const lines = this.#measure.lines(text, 'plain', 9, width, 60);
    for (const [at, line] of lines.entries()) {
      this.#room(9 * LEADING);
      if (at === 0)
        this.#put(this.#one(label, 150), PAGE_SIZE.left, this.#y, 145, { weight: 'bold', size: 9 });
      this.#put(line, PAGE_SIZE.left + 150, this.#y, width, { size: 9 });
      this.#y += 9 * LEADING;
    }
    this.#y += 2;
  }

  /** Draws a table with its header on every page. Draws at most `most` rows and returns how many there were. */
  table(columns: readonly TableLayoutColumn[], rows: Iterable<TableLayoutRow>, most: number): number {
    const parts = columns.reduce((sum, { wide }) => sum + wide, 0);
    const widths = columns.map(({ wide }) => (wide / parts) * INNER);
    const starts = widths.map((_, at) =>
      widths.slice(0, at).reduce((sum, each) => sum + each, PAGE_SIZE.left),
    );
    const head: TableLayoutRow = { cells: columns.map(({ header }) => header), bold: true };
    const draw = (row: TableLayoutRow, shaded: boolean) => {
      const weight = row.bold ? 'bold' : 'plain';
      const sizes = row.cells.map((cell, at) => this.#fit(cell, columns[at]!, widths[at]! - 6, weight));
      const lines = row.cells.map((cell, at) =>
        this.#measure.lines(cell, weight, sizes[at]!, widths[at]! - 6, 12),
      );
      const height = Math.max(...lines.map((each) => each.length)) * SMALL * LEADING + 3;
      const before = this.#page;
      this.#room(height + (shaded ? SMALL * 3 : 0));
      if (this.#page !== before && !shaded) draw(head, true);
      if (shaded) this.#canvas.fill(PAGE_SIZE.left, this.#y - 1, INNER, height, '#eeeeee');
      if (row.ruled)
        this.#canvas.line(
          PAGE_SIZE.left,
          this.#y - 1.5,
          PAGE_SIZE.left + INNER,
          this.#y - 1.5,
          0.7,
          '#000000',
        );
      for (const [at, each] of lines.entries()) {
        for (const [number, line] of each.entries()) {
          const { align } = columns[at]!;
          const y = this.#y + number * SMALL * LEADING;
          this.#put(line, starts[at]! + 3, y, widths[at]! - 6, { weight, size: sizes[at]!, align });
        }
      }
      this.#y += height;
      this.#canvas.line(PAGE_SIZE.left, this.#y - 2, PAGE_SIZE.left + INNER, this.#y - 2, 0.25, RULE);
    };
    draw(head, true);
    let count = 0;
    for (const row of rows) if (++count <= most) draw(row, false);
    return count;
  }

  /** Reduces the font size of a figure that is too wide, because figures are never wrapped. */
  #fit(cell: string, { align }: TableLayoutColumn, width: number, weight: 'plain' | 'bold'): number {
    if (align === 'left') return SMALL;
    const wide = this.#measure.width(cell, weight, SMALL);
    return wide <= width ? SMALL : Math.max(3, (SMALL * width) / wide);
  }

  #put(text: string, x: number, y: number, width: number, style: TextStyle): void {
    const { weight = 'plain', size = 9, color = '#000000', align = 'left' } = style;
    let at = align === 'left' ? x : x + width - this.#measure.width(text, weight, size);
    for (const run of this.#measure.runs(text, weight)) {
      this.#canvas.write(run, at, y, size, color);
      at += this.#measure.width(run.text, weight, size);
    }
  }
}

export type { FontName };
