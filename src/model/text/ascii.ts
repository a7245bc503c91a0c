const ASCII: Readonly<Record<string, string>> = {
  '→': '->',
  '×': 'x',
  '…': '...',
  '–': '-',
  '≥': '>=',
  '≤': '<=',
  '\u00a0': ' ',
};

/**
 * A text for terminals that show ASCII characters only. Characters that this project's own words do not use stay as
 * they are, because names from manifests may have them.
 */
export function asciiText(text: string): string {
  return text.replace(/[→×…–≥≤\u00a0]/g, (character) => ASCII[character]);
}
