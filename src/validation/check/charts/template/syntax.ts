/** A value in an action of a template, with the fields that are read of it. */
export type Operand =
  | { readonly kind: 'dot'; readonly fields: readonly string[] }
  | { readonly kind: 'variable'; readonly name: string; readonly fields: readonly string[] }
  | { readonly kind: 'literal'; readonly text?: string }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'group'; readonly pipeline: Pipeline; readonly fields: readonly string[] };

/** Commands that get the result of the one before as their last argument. */
export interface Pipeline {
  readonly commands: ReadonlyArray<readonly Operand[]>;
  /** The variables that get the result. */
  readonly variables: readonly string[];
  /** Whether the variables are new. */
  readonly isDeclaration: boolean;
}

export type TemplateNode =
  | { readonly kind: 'action'; readonly pipeline: Pipeline }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipeline: Pipeline;
      readonly body: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
    }
  | { readonly kind: 'define'; readonly name: string; readonly body: readonly TemplateNode[] }
  | { readonly kind: 'template'; readonly name: string; readonly pipeline?: Pipeline };

/** A template that is not understood. */
export class TemplateSyntaxError extends Error {}
