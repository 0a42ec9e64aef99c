import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Fonts of the report, all with free licenses. DejaVu Sans has Latin, Greek, Cyrillic, Arabic and Hebrew; Droid Sans
 * Fallback has Chinese and Japanese; Nanum Gothic has Korean. Only used glyphs are embedded.
 */
const files = {
  plain: 'DejaVuSans.ttf',
  bold: 'DejaVuSans-Bold.ttf',
  other: 'DroidSansFallbackFull.ttf',
  korean: 'NanumGothic.ttf',
} as const;
export type FontName = keyof typeof files;

/** Possible font folders: beside the bundle, or in the checkout. */
const folders = ['./fonts/', '../../../resources/fonts/'].map((folder) => new URL(folder, import.meta.url));

export function fontPath(name: FontName): string {
  const paths = folders.map((folder) => fileURLToPath(new URL(files[name], folder)));
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`The font ${files[name]} is missing from this copy of Tieout.`);
  return found;
}

/** The font operations used here. */
interface Font {
  readonly unitsPerEm: number;
  hasGlyphForCodePoint(code: number): boolean;
  glyphForCodePoint(code: number): { advanceWidth: number };
}

/** Text in one font. */
export interface TextRun {
  readonly font: FontName;
  readonly text: string;
}

interface Sign {
  readonly font: FontName;
  /** Width as a multiple of the font size. */
  readonly width: number;
}

/**
 * Measures text and chooses the font for each character. Characters without a font are drawn as the first font's empty
 * box.
 */
export class TextMeasure {
  readonly #fonts: Readonly<Record<FontName, Font>>;
  readonly #signs: Record<'plain' | 'bold', Map<string, Sign>> = { plain: new Map(), bold: new Map() };

  constructor(fonts: Readonly<Record<FontName, Font>>) {
    this.#fonts = fonts;
  }

  #sign(sign: string, weight: 'plain' | 'bold'): Sign {
    const known = this.#signs[weight].get(sign);
    if (known !== undefined) return known;
    const code = sign.codePointAt(0) as number;
    const has = (font: FontName) => this.#fonts[font].hasGlyphForCodePoint(code);
    const name = ([weight, 'other', 'korean'] as const).find(has) ?? weight;
    const font = this.#fonts[name];
    const made = { font: name, width: font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm };
    this.#signs[weight].set(sign, made);
    return made;
  }

  width(text: string, weight: 'plain' | 'bold', size: number): number {
    let width = 0;
    for (const sign of text) width += this.#sign(sign, weight).width;
    return width * size;
  }

  runs(text: string, weight: 'plain' | 'bold'): TextRun[] {
    const runs: { font: FontName; text: string }[] = [];
    for (const sign of text) {
      const { font } = this.#sign(sign, weight);
      const last = runs.at(-1);
      if (last?.font === font || (last !== undefined && sign === ' ')) last.text += sign;
      else runs.push({ font, text: sign });
    }
    return runs;
  }

  /**
   * Breaks text into lines of a maximum width. Breaks words that are too long, and returns at most a given number of
   * lines.
   */
  lines(text: string, weight: 'plain' | 'bold', size: number, width: number, most: number): string[] {
    const lines: string[] = [];
    let line = '';
    let used = 0;
    const flush = () => {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    };
    for (const part of text
      .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
      .split(/(?<=[\s/,;])|(?<=\p{L}-)|(?<=[\u2e80-\uffdc])/u)) {
      const wide = this.width(part.trimEnd(), weight, size);
      if (used > 0 && used + wide > width) flush();
      if (wide <= width) {
        line += part;
        used += this.width(part, weight, size);
        continue;
      }
      for (const sign of part) {
        const one = this.width(sign, weight, size);
        if (used > 0 && used + one > width) flush();
        line += sign;
        used += one;
      }
    }
    if (line !== '' || lines.length === 0) flush();
    if (lines.length <= most) return lines;
    return [...lines.slice(0, most - 1), `${(lines[most - 1] as string).slice(0, -1)}…`];
  }
}
