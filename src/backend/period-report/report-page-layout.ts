import { QR_CODE_QUIET_ZONE, QR_CODE_SIZE, type QrCode } from '../../domain/qr-code/index.ts';
import type { FontStyle, ReportTextMeasurer, SingleFontTextRun } from './report-fonts.ts';

/** Drawing surface for pages. The first of two layout passes uses a canvas that draws nothing. */
export interface PageCanvas {
  addPage(): void;
  /** Writes one line of text. The position is in points from the top left corner. */
  write(
    run: SingleFontTextRun,
    position: { x: number; y: number },
    style: { size: number; color: string },
  ): void;
  /** Draws a horizontal rule across the content. */
  rule(y: number, width: number, color: string): void;
  /** Fills a rectangle. The sizes are in points from the top left corner. */
  fill(box: { x: number; y: number; width: number; height: number }, color: string): void;
  /** Adds the page to the PDF's outline. */
  addBookmark(title: string): void;
}

export interface ReportTextStyle extends Partial<FontStyle> {
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

/** Size and margins of an A4 page in landscape format, in points. */
export const REPORT_PAGE_SIZE_PT = {
  width: 841.89,
  height: 595.28,
  left: 36,
  right: 36,
  top: 54,
  bottom: 40,
} as const;
export const REPORT_CONTENT_WIDTH_PT =
  REPORT_PAGE_SIZE_PT.width - REPORT_PAGE_SIZE_PT.left - REPORT_PAGE_SIZE_PT.right;
const TABLE_FONT_SIZE = 7.5;
const LINE_HEIGHT = 1.3;
/** Position and width, in points, of the text next to a label. */
const PAIR_TEXT = { x: REPORT_PAGE_SIZE_PT.left + 150, width: REPORT_CONTENT_WIDTH_PT - 150 };
/** Side length in points of one QR code module (square): about 0.7 mm. */
const QR_CODE_MODULE_PT = 2;
const GRAY = '#666666';
const RULE_COLOR = '#bbbbbb';
const CONTENT = { x: REPORT_PAGE_SIZE_PT.left, width: REPORT_CONTENT_WIDTH_PT };

export interface ReportLayoutColumn {
  readonly header: string;
  readonly relativeWidth: number;
  readonly align: 'left' | 'right';
}

export interface ReportLayoutRow {
  readonly cells: readonly string[];
  readonly bold?: boolean;
  /** True for a total, which has a rule above it. */
  readonly ruled?: boolean;
}

/** A table column with its position and the width of its text, in points. */
interface PlacedColumn extends ReportLayoutColumn {
  readonly x: number;
  readonly width: number;
}

/** Fills pages from top to bottom and adds headers and footers. Content that does not fit moves to the next page. */
export class ReportPageLayout {
  readonly #canvas: PageCanvas;
  readonly #measure: ReportTextMeasurer;
  readonly #head: { left: string; right: string; foot: string };
  /** Total number of pages. Null in the first pass, which counts the pages. */
  readonly #pageCount: number | null;
  #page = 0;
  #y: number = REPORT_PAGE_SIZE_PT.top;
  #title = '';

  constructor(
    canvas: PageCanvas,
    measure: ReportTextMeasurer,
    head: { left: string; right: string; foot: string },
    pageCount: number | null,
  ) {
    this.#canvas = canvas;
    this.#measure = measure;
    this.#head = head;
    this.#pageCount = pageCount;
  }

  /** Number of pages filled so far. */
  get pages(): number {
    return this.#page;
  }

  /** Starts a page with a title. Following pages repeat the title in their header, unless it is the report's title. */
  begin(title: string): void {
    this.#title = '';
    this.#startPage();
    this.#title = title === this.#head.left ? '' : title;
    this.#canvas.addBookmark(title);
    this.text(title, { weight: 'bold', size: 15 });
    this.space(4);
  }

  #startPage(): void {
    this.#page++;
    this.#canvas.addPage();
    this.#y = REPORT_PAGE_SIZE_PT.top;
    const { left, right, foot } = this.#head;
    const half = REPORT_CONTENT_WIDTH_PT * 0.4;
    const style = { size: 8, color: GRAY };
    this.#write(this.#truncate(left, half), { x: REPORT_PAGE_SIZE_PT.left, y: 26, width: half }, style);
    const title = { x: REPORT_PAGE_SIZE_PT.left + half, y: 26, width: REPORT_CONTENT_WIDTH_PT * 0.35 };
    this.#write(this.#truncate(this.#title, half), title, style);
    this.#write(right, { ...CONTENT, y: 26 }, { ...style, align: 'right' });
    this.#canvas.rule(40, 0.5, RULE_COLOR);
    const y = REPORT_PAGE_SIZE_PT.height - 28;
    this.#write(
      foot,
      { x: REPORT_PAGE_SIZE_PT.left, y, width: REPORT_CONTENT_WIDTH_PT * 0.8 },
      { ...style, size: 7 },
    );
    const pageNumber = `Page ${this.#page} of ${this.#pageCount ?? 9999}`;
    this.#write(pageNumber, { ...CONTENT, y }, { ...style, align: 'right' });
  }

  /** Shortens a text to fit one line. */
  #truncate(text: string, width: number): string {
    return this.#measure.lines(text, { weight: 'plain', size: 8 }, width - 8, 1)[0] ?? '';
  }

  space(points: number): void {
    this.#y += points;
  }

  /** Starts a new page if the given height does not fit on the current page. */
  #reserve(height: number): void {
    if (this.#y + height > REPORT_PAGE_SIZE_PT.height - REPORT_PAGE_SIZE_PT.bottom) this.#startPage();
  }

  /** Writes a paragraph across the width of the page. */
  text(text: string, style: ReportTextStyle = {}): void {
    const { weight = 'plain', size = 9 } = style;
    for (const line of this.#measure.lines(text, { weight, size }, REPORT_CONTENT_WIDTH_PT, 100)) {
      this.#reserve(size * LINE_HEIGHT);
      this.#write(line, { ...CONTENT, y: this.#y }, style);
      this.#y += size * LINE_HEIGHT;
    }
  }

  /** Writes a label with its text to the right. */
  pair(label: string, text: string): void {
    const lines = this.#measure.lines(text, { weight: 'plain', size: 9 }, PAIR_TEXT.width, 60);
    for (const [index, line] of lines.entries()) {
      this.#reserve(9 * LINE_HEIGHT);
      const labelBox = { x: REPORT_PAGE_SIZE_PT.left, y: this.#y, width: 145 };
      if (index === 0) this.#write(this.#truncate(label, 150), labelBox, { weight: 'bold' });
      this.#write(line, { ...PAIR_TEXT, y: this.#y });
      this.#y += 9 * LINE_HEIGHT;
    }
    this.#y += 2;
  }

  /** Draws a QR code in the column of the texts next to labels. */
  qrCode(code: QrCode): void {
    const size = (QR_CODE_SIZE + 2 * QR_CODE_QUIET_ZONE) * QR_CODE_MODULE_PT;
    this.#reserve(size);
    for (const [row, cells] of code.entries())
      for (const [column, isDark] of cells.entries()) {
        if (!isDark) continue;
        const x = PAIR_TEXT.x + column * QR_CODE_MODULE_PT;
        const y = this.#y + (row + QR_CODE_QUIET_ZONE) * QR_CODE_MODULE_PT;
        this.#canvas.fill({ x, y, width: QR_CODE_MODULE_PT, height: QR_CODE_MODULE_PT }, '#000000');
      }
    this.#y += size;
  }

  /** Draws a table and repeats its header on every page. Draws at most `maxRows` rows. Returns the number of all rows. */
  table(columns: readonly ReportLayoutColumn[], rows: Iterable<ReportLayoutRow>, maxRows: number): number {
    const parts = columns.reduce((sum, { relativeWidth }) => sum + relativeWidth, 0);
    const placed: PlacedColumn[] = [];
    let x: number = REPORT_PAGE_SIZE_PT.left;
    for (const column of columns) {
      const width = (column.relativeWidth / parts) * REPORT_CONTENT_WIDTH_PT;
      placed.push({ ...column, x: x + 3, width: width - 6 });
      x += width;
    }
    this.#drawHeader(placed);
    let count = 0;
    for (const row of rows) if (++count <= maxRows) this.#drawRow(placed, row);
    return count;
  }

  #drawHeader(columns: readonly PlacedColumn[]): void {
    const lines = this.#toCellLines(columns, { cells: columns.map(({ header }) => header), bold: true });
    const height = getRowHeight(lines);
    this.#reserve(height + TABLE_FONT_SIZE * 3);
    this.#canvas.fill({ ...CONTENT, y: this.#y - 1, height }, '#eeeeee');
    this.#drawCells(columns, lines, height);
  }

  #drawRow(columns: readonly PlacedColumn[], row: ReportLayoutRow): void {
    const lines = this.#toCellLines(columns, row);
    const height = getRowHeight(lines);
    const page = this.#page;
    this.#reserve(height);
    if (this.#page !== page) this.#drawHeader(columns);
    if (row.ruled) this.#canvas.rule(this.#y - 1.5, 0.7, '#000000');
    this.#drawCells(columns, lines, height);
  }

  /** Breaks each cell into lines. A figure that is too wide gets a smaller font, because figures never wrap. */
  #toCellLines(columns: readonly PlacedColumn[], { cells, bold }: ReportLayoutRow): CellLines[] {
    const weight = bold ? 'bold' : 'plain';
    return cells.map((cell, index) => {
      const { align, width } = columns[index]!;
      const needed = align === 'left' ? 0 : this.#measure.width(cell, { weight, size: TABLE_FONT_SIZE });
      const size = needed <= width ? TABLE_FONT_SIZE : Math.max(3, (TABLE_FONT_SIZE * width) / needed);
      return { font: { weight, size }, lines: this.#measure.lines(cell, { weight, size }, width, 12) };
    });
  }

  #drawCells(columns: readonly PlacedColumn[], cells: readonly CellLines[], height: number): void {
    for (const [index, { font, lines }] of cells.entries()) {
      const { x, width, align } = columns[index]!;
      for (const [lineIndex, line] of lines.entries()) {
        const y = this.#y + lineIndex * TABLE_FONT_SIZE * LINE_HEIGHT;
        this.#write(line, { x, y, width }, { ...font, align });
      }
    }
    this.#y += height;
    this.#canvas.rule(this.#y - 2, 0.25, RULE_COLOR);
  }

  #write(text: string, box: { x: number; y: number; width: number }, style: ReportTextStyle = {}): void {
    const { weight = 'plain', size = 9, color = '#000000', align = 'left' } = style;
    const font = { weight, size };
    let x = align === 'left' ? box.x : box.x + box.width - this.#measure.width(text, font);
    for (const run of this.#measure.runs(text, weight)) {
      this.#canvas.write(run, { x, y: box.y }, { size, color });
      x += this.#measure.width(run.text, font);
    }
  }
}

interface CellLines {
  readonly font: FontStyle;
  readonly lines: readonly string[];
}

const getRowHeight = (cells: readonly CellLines[]): number =>
  Math.max(...cells.map(({ lines }) => lines.length)) * TABLE_FONT_SIZE * LINE_HEIGHT + 3;
