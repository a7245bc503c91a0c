/** One thing that a reader of a starting page does, in order. */
export type Step =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'command'; readonly command: string; output?: string }
  | { readonly kind: 'edit'; readonly path: string; readonly from: string; readonly to: string };

const PATTERN = new RegExp(
  [
    /[Ss]ave this as `(?<path>[^`]+)`:\n\n```\w+\n(?<text>.*?)^```/,
    /^```sh\n(?<commands>.*?)^```\n(?:\n```text\n(?<output>.*?)^```)?/,
    /In `(?<edited>[^`]+)`, replace `(?<from>[^`]+)` with `(?<to>[^`]+)`/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gms',
);

/**
 * The steps of a starting page: "Save this as `FILE`:" with a block of code, blocks of commands with their output, and
 * "In `FILE`, replace `A` with `B`".
 */
export function stepsOf(markdown: string): Step[] {
  return [...markdown.matchAll(PATTERN)].flatMap(({ groups }): Step[] => {
    const { path, text, commands, output, edited, from, to } = groups!;
    if (path !== undefined) return [{ kind: 'file', path, text }];
    if (edited !== undefined) return [{ kind: 'edit', path: edited, from, to }];
    const lines = commands.trimEnd().split('\n');
    return lines.map((command, index) => ({
      kind: 'command',
      command,
      ...(index === lines.length - 1 && output !== undefined ? { output } : {}),
    }));
  });
}
