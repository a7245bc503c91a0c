/** A part of a text, by its offsets. */
interface Node {
  readonly start: number;
  readonly end: number;
}

/** An expression. What is no literal, and nothing that is followed, is `other`. */
export type HclExpression =
  | (Node & { readonly kind: 'literal'; readonly value: string | number | boolean | null })
  | (Node & { readonly kind: 'template'; readonly parts: readonly (string | HclExpression)[] })
  | (Node & { readonly kind: 'list'; readonly items: readonly HclExpression[] })
  | (Node & { readonly kind: 'object'; readonly items: readonly ObjectItem[] })
  | (Node & { readonly kind: 'call'; readonly name: string; readonly args: readonly HclExpression[] })
  | (Node & { readonly kind: 'reference'; readonly steps: readonly string[] })
  | (Node & {
      readonly kind: 'comparison';
      readonly isEqual: boolean;
      readonly left: HclExpression;
      readonly right: HclExpression;
    })
  | (Node & {
      readonly kind: 'condition';
      readonly test: HclExpression;
      readonly yes: HclExpression;
      readonly no: HclExpression;
    })
  | (Node & { readonly kind: 'access'; readonly target: HclExpression; readonly steps: readonly AccessStep[] })
  | (Node & { readonly kind: 'other' });

/** A key or an index, or `*` for each item of a list. */
export type AccessStep = HclExpression | '*';

export interface ObjectItem {
  readonly key: HclExpression;
  readonly value: HclExpression;
}

export interface Attribute {
  readonly name: string;
  readonly value: HclExpression;
}

export interface Block extends Node {
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: Body;
}

export interface Body {
  readonly attributes: readonly Attribute[];
  readonly blocks: readonly Block[];
}

/** All expressions in a body, those of nested blocks included. */
export function* expressionsIn({ attributes, blocks }: Body): Generator<HclExpression> {
  for (const { value } of attributes) yield value;
  for (const { body } of blocks) yield* expressionsIn(body);
}

/** The value of an attribute of a body. */
export function bodyAttribute({ attributes }: Body, name: string): HclExpression | undefined {
  return attributes.find((attribute) => attribute.name === name)?.value;
}
