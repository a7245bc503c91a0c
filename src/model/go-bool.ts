/**
 * A switch as Go's `strconv.ParseBool` reads it: a setting comes to Karpenter as a text, whatever it was written as. Undefined for what it refuses.
 *
 * @see https://pkg.go.dev/strconv#ParseBool
 */
export function parseGoBool(value: unknown): boolean | undefined {
  const text = String(value);
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text) ? false : undefined;
}
