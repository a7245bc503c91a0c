/** Whether a text can be read as CEL; what its names stand for is not looked at. */
export function isExpression(text: string): boolean {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- for those alone who write expressions
  const { parse } = require('@bufbuild/cel') as typeof import('@bufbuild/cel');
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
