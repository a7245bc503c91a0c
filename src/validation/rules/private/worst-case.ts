import { LONGEST } from '../../../contract';
import { partsOf, TextPart } from '../../template';

/** The longest that parts can be which all templates have. */
const LONGEST_PART: Readonly<Record<string, number>> = {
  'AWS::Region': LONGEST.region.length,
  'AWS::AccountId': LONGEST.account.length,
  'AWS::Partition': LONGEST.partition.length,
  'AWS::URLSuffix': 'amazonaws.com.cn'.length,
};
/** The stack's name, the logical id and some characters of CloudFormation's, cut to what IAM takes. */
const GENERATED_NAME = 64;

/** How long a text can become. */
export interface TextLength {
  /** Of what is known, and of what is known to be so long at most. */
  readonly characters: number;
  /** What can be of any length. */
  readonly open: readonly string[];
}

export function lengthOf(text: string): TextLength {
  const parts = partsOf(text);
  return {
    characters: parts.reduce((sum, part) => sum + (longest(part) ?? 0), 0),
    open: [...new Set(parts.flatMap((part) => part.token === undefined || longest(part) !== undefined ? [] : [part.token]))],
  };
}

function longest(part: TextPart): number | undefined {
  if (part.token === undefined) return part.literal.length;
  return part.generated ? GENERATED_NAME : LONGEST_PART[part.token];
}
