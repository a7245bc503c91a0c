import { createColors } from 'picocolors';
import { asciiText, wrapText } from '../../../model';
import { Colors, TextOptions } from '../wording';

/** The width of text that no terminal shows. */
export const DEFAULT_WIDTH = 100;
/** Tables need so much. A narrower terminal breaks their lines. */
const MIN_WIDTH = 60;

/** Eighths of a filled cell, from one to seven. */
const EIGHTHS = '▏▎▍▌▋▊▉';
const PARTS = EIGHTHS.length + 1;

/** How text is laid out: its width, colors and characters, and whether details are left out. */
export class Layout {
  public readonly width: number;
  public readonly verbose: boolean;
  public readonly colors: Colors;
  private readonly ascii: boolean;

  public constructor({ width = DEFAULT_WIDTH, color = false, ascii = false, verbose = false }: TextOptions = {}) {
    this.width = Math.max(width, MIN_WIDTH);
    this.verbose = verbose;
    this.colors = createColors(color);
    this.ascii = ascii;
  }

  /** Only characters that the terminal can show. Names from manifests stay as they are. */
  public plain(text: string): string {
    return this.ascii ? asciiText(text) : text;
  }

  /** The lines of a text within the width. Words are never broken. */
  public wrap(text: string): string {
    return wrapText(this.plain(text), this.width);
  }

  /** The beginning of a text without colors, up to a length, and an ellipsis if it is cut. */
  public cut(text: string, length: number): string {
    const characters = [...this.plain(text)];
    return characters.length <= length ? characters.join('') : this.shortened(characters, length);
  }

  /** The first lines of a wrapped text, and an ellipsis if more follow. */
  public firstLines(text: string, count: number): string {
    const lines = this.wrap(text).split('\n');
    if (lines.length <= count) return lines.join('\n');
    return [...lines.slice(0, count - 1), this.shortened([...lines[count - 1], ' '], this.width)].join('\n');
  }

  /** Characters whose end is missing. A word that is cut is left out, unless it is long. */
  private shortened(characters: readonly string[], length: number): string {
    const end = this.plain('…');
    const kept = characters.slice(0, length - end.length + 1).join('');
    const words = kept.replace(/\s+\S{0,14}$/, '');
    return `${(words === kept ? kept.slice(0, -1) : words).replace(/[\s,;:]+$/, '')}${end}`;
  }

  /** A share from 0 to 1 as a bar of so many characters. Larger shares fill it. */
  public bar(share: number, length: number): string {
    const filled = Math.min(Math.max(share, 0), 1) * length;
    if (this.ascii) return '#'.repeat(Math.round(filled)).padEnd(length, '.');
    const eighths = Math.round(filled * PARTS);
    const part = eighths % PARTS;
    return ('█'.repeat(Math.floor(eighths / PARTS)) + (part === 0 ? '' : EIGHTHS[part - 1])).padEnd(length, '░');
  }
}
