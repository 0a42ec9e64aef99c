import type { FontName, TextMeasure, TextRun } from './report-fonts.ts';

/** Drawing surface for pages. The first of two layout passes uses a canvas that draws nothing. */
export interface PageCanvas {
  addPage(): void;
  /** Writes one line of text. The coordinates are in points from the top left corner. */
  write(run: TextRun, x: number, y: number, size: number, color: string): void;
  line(x1: number, y1: number, x2: number, y2: number, width: number, color: string): void;
  fill(x: number, y: number, width: number, height: number, color: string): void;
  /** Adds the page to the PDF's outline. */
  mark(title: string): void;
}

export interface TextStyle {
  readonly weight?: 'plain' | 'bold';
  readonly size?: number;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

/** Size and margins of an A4 page in landscape format, in points. */
export const PAGE_SIZE = { width: 841.89, height: 595.28, left: 36, right: 36, top: 54, bottom: 40 } as const;
const CONTENT_WIDTH = PAGE_SIZE.width - PAGE_SIZE.left - PAGE_SIZE.right;
const TABLE_FONT_SIZE = 7.5;
const LINE_HEIGHT = 1.3;
const GRAY = '#666666';
const RULE_COLOR = '#bbbbbb';

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

/** Fills pages from top to bottom and adds headers and footers. Content that does not fit moves to the next page. */
export class PageLayout {
  readonly #canvas: PageCanvas;
  readonly #measure: TextMeasure;
  readonly #head: { left: string; right: string; foot: string };
  /** Total number of pages. Null in the first pass, which counts them. */
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

  /**
   * Starts a new page with a title. The following pages repeat the title in their header, unless it is the report's
   * title.
   */
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
    const half = CONTENT_WIDTH * 0.4;
    this.#put(this.#one(left, half), PAGE_SIZE.left, 26, half, { size: 8, color: GRAY });
    this.#put(this.#one(this.#title, half), PAGE_SIZE.left + half, 26, CONTENT_WIDTH * 0.35, {
      size: 8,
      color: GRAY,
    });
    this.#put(right, PAGE_SIZE.left, 26, CONTENT_WIDTH, { size: 8, color: GRAY, align: 'right' });
    this.#canvas.line(PAGE_SIZE.left, 40, PAGE_SIZE.width - PAGE_SIZE.right, 40, 0.5, RULE_COLOR);
    const y = PAGE_SIZE.height - 28;
    this.#put(foot, PAGE_SIZE.left, y, CONTENT_WIDTH * 0.8, { size: 7, color: GRAY });
    const of = this.#pages ?? 9999;
    this.#put(`Page ${this.#page} of ${of}`, PAGE_SIZE.left, y, CONTENT_WIDTH, {
      size: 8,
      color: GRAY,
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

  /** Writes a paragraph across the width of the page. */
  text(text: string, style: TextStyle = {}): void {
    const { weight = 'plain', size = 9 } = style;
    for (const line of this.#measure.lines(text, weight, size, CONTENT_WIDTH, 100)) {
      this.#room(size * LINE_HEIGHT);
      this.#put(line, PAGE_SIZE.left, this.#y, CONTENT_WIDTH, style);
      this.#y += size * LINE_HEIGHT;
    }
  }

  /** Writes a label on the left with its text on the right. */
  pair(label: string, text: string): void {
    const width = CONTENT_WIDTH - 150;
    const lines = this.#measure.lines(text, 'plain', 9, width, 60);
    for (const [at, line] of lines.entries()) {
      this.#room(9 * LINE_HEIGHT);
      if (at === 0)
        this.#put(this.#one(label, 150), PAGE_SIZE.left, this.#y, 145, { weight: 'bold', size: 9 });
      this.#put(line, PAGE_SIZE.left + 150, this.#y, width, { size: 9 });
      this.#y += 9 * LINE_HEIGHT;
    }
    this.#y += 2;
  }

  /** Draws a table and repeats its header on every page. Draws at most `maxRows` rows. Returns the number of all rows. */
  table(columns: readonly TableLayoutColumn[], rows: Iterable<TableLayoutRow>, maxRows: number): number {
    const parts = columns.reduce((sum, { wide }) => sum + wide, 0);
    const widths = columns.map(({ wide }) => (wide / parts) * CONTENT_WIDTH);
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
      const height = Math.max(...lines.map((each) => each.length)) * TABLE_FONT_SIZE * LINE_HEIGHT + 3;
      const before = this.#page;
      this.#room(height + (shaded ? TABLE_FONT_SIZE * 3 : 0));
      if (this.#page !== before && !shaded) draw(head, true);
      if (shaded) this.#canvas.fill(PAGE_SIZE.left, this.#y - 1, CONTENT_WIDTH, height, '#eeeeee');
      if (row.ruled)
        this.#canvas.line(
          PAGE_SIZE.left,
          this.#y - 1.5,
          PAGE_SIZE.left + CONTENT_WIDTH,
          this.#y - 1.5,
          0.7,
          '#000000',
        );
      for (const [at, each] of lines.entries()) {
        for (const [number, line] of each.entries()) {
          const { align } = columns[at]!;
          const y = this.#y + number * TABLE_FONT_SIZE * LINE_HEIGHT;
          this.#put(line, starts[at]! + 3, y, widths[at]! - 6, { weight, size: sizes[at]!, align });
        }
      }
      this.#y += height;
      this.#canvas.line(
        PAGE_SIZE.left,
        this.#y - 2,
        PAGE_SIZE.left + CONTENT_WIDTH,
        this.#y - 2,
        0.25,
        RULE_COLOR,
      );
    };
    draw(head, true);
    let count = 0;
    for (const row of rows) if (++count <= maxRows) draw(row, false);
    return count;
  }

  /** Returns a smaller font size for a figure that is too wide, because figures are never wrapped. */
  #fit(cell: string, { align }: TableLayoutColumn, width: number, weight: 'plain' | 'bold'): number {
    if (align === 'left') return TABLE_FONT_SIZE;
    const wide = this.#measure.width(cell, weight, TABLE_FONT_SIZE);
    return wide <= width ? TABLE_FONT_SIZE : Math.max(3, (TABLE_FONT_SIZE * width) / wide);
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
