const WIDEST = 140;

/** Formats JSON for small diffs: every value that fits on one line is on one line. */
export function json(value: unknown): string {
  return `${lines(value, '')}\n`;
}

function lines(value: unknown, indent: string): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= WIDEST) return flat;
  const deeper = `${indent} `;
  if (Array.isArray(value)) return `[\n${value.map((item) => deeper + lines(item, deeper)).join(',\n')}\n${indent}]`;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{\n${entries.map(([key, item]) => `${deeper}${JSON.stringify(key)}: ${lines(item, deeper)}`).join(',\n')}\n${indent}}`;
}
