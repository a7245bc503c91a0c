/** The lines of a text, broken between words. Lines that follow are not indented, unlike those of `wrapText`. */
export function wrapped(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines = [''];
    for (const word of line.split(' ')) {
      const last = lines[lines.length - 1];
      if (last !== '' && last.length + 1 + word.length > columns) lines.push(word);
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    return lines;
  });
}
