import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Font files of the report. All have free licenses. DejaVu Sans covers Latin, Greek, Cyrillic, Arabic and Hebrew; Droid
 * Sans Fallback covers Chinese and Japanese; Nanum Gothic covers Korean. Only used glyphs are embedded.
 */
const fontFiles = {
  plain: 'DejaVuSans.ttf',
  bold: 'DejaVuSans-Bold.ttf',
  other: 'DroidSansFallbackFull.ttf',
  korean: 'NanumGothic.ttf',
} as const;
export type FontName = keyof typeof fontFiles;

/** Possible locations of the font folder: next to the built bundle, or in the source tree. */
const fontFolders = ['./fonts/', '../../../resources/fonts/'].map((path) => new URL(path, import.meta.url));

export function findFontPath(name: FontName): string {
  const paths = fontFolders.map((folder) => fileURLToPath(new URL(fontFiles[name], folder)));
  const path = paths.find((each) => existsSync(each));
  if (path !== undefined) return path;
  throw new Error(`The font ${fontFiles[name]} is missing from this copy of Tieout.`);
}

/** Methods of a font opened by pdfkit that this file uses. */
interface Font {
  readonly unitsPerEm: number;
  hasGlyphForCodePoint(code: number): boolean;
  glyphForCodePoint(code: number): { advanceWidth: number };
}

export interface FontStyle {
  readonly weight: 'plain' | 'bold';
  /** Font size in points. */
  readonly size: number;
}

/** Part of a text that is drawn in a single font. */
export interface SingleFontTextRun {
  readonly font: FontName;
  readonly text: string;
}

interface MeasuredCharacter {
  readonly font: FontName;
  /** Width of the character as a multiple of the font size. */
  readonly width: number;
}

/** Measures text and chooses a font for each character. A character that no font covers is drawn as an empty box. */
export class ReportTextMeasurer {
  readonly #fonts: Readonly<Record<FontName, Font>>;
  readonly #characters = {
    plain: new Map<string, MeasuredCharacter>(),
    bold: new Map<string, MeasuredCharacter>(),
  };

  constructor(fonts: Readonly<Record<FontName, Font>>) {
    this.#fonts = fonts;
  }

  #measureCharacter(character: string, weight: FontStyle['weight']): MeasuredCharacter {
    const known = this.#characters[weight].get(character);
    if (known !== undefined) return known;
    const code = character.codePointAt(0) as number;
    const has = (font: FontName) => this.#fonts[font].hasGlyphForCodePoint(code);
    const name = ([weight, 'other', 'korean'] as const).find(has) ?? weight;
    const font = this.#fonts[name];
    const measured = { font: name, width: font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm };
    this.#characters[weight].set(character, measured);
    return measured;
  }

  /** Returns the width of a text in points. */
  width(text: string, { weight, size }: FontStyle): number {
    let width = 0;
    for (const character of text) width += this.#measureCharacter(character, weight).width;
    return width * size;
  }

  /** Splits a text into parts that are drawn in one font each. */
  runs(text: string, weight: FontStyle['weight']): SingleFontTextRun[] {
    const runs: { font: FontName; text: string }[] = [];
    for (const character of text) {
      const { font } = this.#measureCharacter(character, weight);
      const last = runs.at(-1);
      if (last?.font === font || (last !== undefined && character === ' ')) last.text += character;
      else runs.push({ font, text: character });
    }
    return runs;
  }

  /** Breaks text into at most `maxLines` lines, each at most `width` points wide. Splits words that are too long. */
  lines(text: string, font: FontStyle, width: number, maxLines: number): string[] {
    const lines: string[] = [];
    let line = '';
    let lineWidth = 0;
    const flush = () => {
      lines.push(line.trimEnd());
      line = '';
      lineWidth = 0;
    };
    for (const part of text
      .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
      .split(/(?<=[\s/,;])|(?<=\p{L}-)|(?<=[\u2e80-\uffdc])/u)) {
      const partWidth = this.width(part.trimEnd(), font);
      if (lineWidth > 0 && lineWidth + partWidth > width) flush();
      if (partWidth <= width) {
        line += part;
        lineWidth += this.width(part, font);
        continue;
      }
      for (const character of part) {
        const characterWidth = this.width(character, font);
        if (lineWidth > 0 && lineWidth + characterWidth > width) flush();
        line += character;
        lineWidth += characterWidth;
      }
    }
    if (line !== '' || lines.length === 0) flush();
    if (lines.length <= maxLines) return lines;
    return [...lines.slice(0, maxLines - 1), `${(lines[maxLines - 1] as string).slice(0, -1)}…`];
  }
}
