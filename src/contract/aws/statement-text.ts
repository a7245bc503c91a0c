/**
 * A statement as a user can copy it into a policy by hand. References of a template are written in angle brackets, such
 * as `<AWS::AccountId>`, because they have no value at synth.
 *
 * @param resolved statement after the CDK has resolved its tokens
 */
export function statementText(resolved: unknown): string {
  return JSON.stringify(withoutReferences(resolved));
}

/**
 * A text of a template in one line, with its references in angle brackets. cdk-nag writes values in the same way.
 *
 * @param resolved text after the CDK has resolved its tokens
 */
export function readableValue(resolved: unknown): string {
  const value = withoutReferences(resolved);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withoutReferences(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutReferences);
  const entries = Object.entries(value);
  if (entries.length === 1) {
    const [name, argument] = entries[0];
    if (name === 'Ref') return `<${argument}>`;
    if (name === 'Fn::GetAtt') return `<${[argument].flat().join('.')}>`;
    if (name === 'Fn::Join') return (argument[1] as unknown[]).map(withoutReferences).join(argument[0]);
  }
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutReferences(child)]));
}
