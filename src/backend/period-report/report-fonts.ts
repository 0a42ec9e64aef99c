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
const fontFolders = ['./fonts/', '../../../resources/fonts/'].map(
  (folder) => new URL(folder, import.meta.url),
);

export function findFontPath(name: FontName): string {
  const paths = fontFolders.map((folder) => fileURLToPath(new URL(fontFiles[name], folder)));
  const found = paths.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(`The font ${fontFiles[name]} is missing from this copy of Tieout.`);
  return found;
}

/** Operations used on a font that was opened by pdfkit. */
interface Font {
  readonly unitsPerEm: number;
  hasGlyphForCodePoint(code: number): boolean;
  glyphForCodePoint(code: number): { advanceWidth: number };
}

/** Part of a text that is drawn in one font. */
export interface TextRun {
  readonly font: FontName;
  readonly text: string;
}

interface MeasuredCharacter {
  readonly font: FontName;
  /** Width of the character as a multiple of the font size. */
  readonly width: number;
}

/** Measures text and chooses a font for each character. A character that no font covers is drawn as an empty box. */
export class TextMeasure {
  readonly #fonts: Readonly<Record<FontName, Font>>;
  readonly #signs: Record<'plain' | 'bold', Map<string, MeasuredCharacter>> = {
    plain: new Map(),
    bold: new Map(),
  };

  constructor(fonts: Readonly<Record<FontName, Font>>) {
    this.#fonts = fonts;
  }

  #sign(character: string, weight: 'plain' | 'bold'): MeasuredCharacter {
    const known = this.#signs[weight].get(character);
    if (known !== undefined) return known;
    const code = character.codePointAt(0) as number;
    const has = (font: FontName) => this.#fonts[font].hasGlyphForCodePoint(code);
    const name = ([weight, 'other', 'korean'] as const).find(has) ?? weight;
    const font = this.#fonts[name];
    const measured = { font: name, width: font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm };
    this.#signs[weight].set(character, measured);
    return measured;
  }

  width(text: string, weight: 'plain' | 'bold', size: number): number {
    let width = 0;
    for (const character of text) width += this.#sign(character, weight).width;
    return width * size;
  }

  runs(text: string, weight: 'plain' | 'bold'): TextRun[] {
    const runs: { font: FontName; text: string }[] = [];
    for (const character of text) {
      const { font } = this.#sign(character, weight);
      const last = runs.at(-1);
      if (last?.font === font || (last !== undefined && character === ' ')) last.text += character;
      else runs.push({ font, text: character });
    }
    return runs;
  }

  /**
   * Breaks text into lines of at most `width` points. Splits words that are too long. Returns at most `maxLines` lines.
   */
  lines(text: string, weight: 'plain' | 'bold', size: number, width: number, maxLines: number): string[] {
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
      const partWidth = this.width(part.trimEnd(), weight, size);
      if (lineWidth > 0 && lineWidth + partWidth > width) flush();
      if (partWidth <= width) {
        line += part;
        lineWidth += this.width(part, weight, size);
        continue;
      }
      for (const character of part) {
        const characterWidth = this.width(character, weight, size);
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
