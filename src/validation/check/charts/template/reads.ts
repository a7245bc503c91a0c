import {
  Composite,
  compositeOf,
  fieldOf,
  fromRoot,
  itemOf,
  membersOf,
  NOWHERE,
  ValueOrigin,
  unionOf,
  ValuesPath,
} from './origin';
import { Operand, Pipeline, TemplateNode, TemplateSyntaxError } from './syntax';

/** The definitions of all templates, which the charts of one release share. */
export type Definitions = ReadonlyMap<string, readonly TemplateNode[]>;

type Variables = Map<string, { origin: ValueOrigin }>;

interface Scope {
  readonly dot: ValueOrigin;
  readonly variables: Variables;
}

const MOST_STEPS = 100_000;
const MOST_DEPTH = 30;

/** Functions that return one of their arguments, or a part of it. */
const SELECTIONS: ReadonlySet<string> = new Set([
  ...['default', 'coalesce', 'ternary', 'required', 'and', 'or', 'deepCopy', 'mustDeepCopy', 'omit', 'unset'],
  ...['first', 'last', 'rest', 'initial', 'mustFirst', 'mustLast', 'mustRest', 'mustInitial'],
  ...['uniq', 'mustUniq', 'compact', 'mustCompact', 'without', 'reverse', 'slice', 'sortAlpha', 'pick'],
]);
/** Functions that make a list of what their arguments have. */
const LISTS: ReadonlySet<string> = new Set(['list', 'tuple', 'concat', 'append', 'prepend', 'mustAppend', 'values']);
const MERGES: ReadonlySet<string> = new Set(['merge', 'mergeOverwrite', 'mustMerge', 'mustMergeOverwrite']);
/** Functions that only look whether a value is there, or at its kind. */
const TESTS: ReadonlySet<string> = new Set(['empty', 'not', 'kindIs', 'kindOf', 'typeIs', 'typeOf', 'len', 'keys']);

/**
 * The values that templates may read. More may be named than are read, but none is left out: if a function is not
 * known, or if a template is too dynamic, everything in its arguments counts as read.
 */
export class TemplateReads {
  /** Values that are read with all that is in them. */
  public readonly whole = new Map<string, ValuesPath>();
  /** Values whose presence or kind alone is read. */
  public readonly tested = new Map<string, ValuesPath>();
  private steps = 0;
  private readonly included = new Set<string>();

  public constructor(private readonly definitions: Definitions) {}

  /**
   * @param prefix of the values of the chart in those of the outermost one
   * @throws TemplateSyntaxError if the template may read anything
   */
  public readTemplate(nodes: readonly TemplateNode[], prefix: ValuesPath): void {
    this.read(nodes, scopeWith(fromRoot(prefix)), 0);
  }

  private read(nodes: readonly TemplateNode[], scope: Scope, depth: number): void {
    if (depth > MOST_DEPTH) throw new TemplateSyntaxError('templates are nested too deep');
    for (const node of nodes) {
      this.step();
      if (node.kind === 'action') this.readAction(node.pipeline, scope, depth);
      else if (node.kind === 'template') {
        const context = node.pipeline ? this.evaluate(node.pipeline, scope, depth) : NOWHERE;
        this.include(node.name, context, depth);
      } else if (node.kind !== 'define') this.readBlock(node, scope, depth);
    }
  }

  private readAction(pipeline: Pipeline, scope: Scope, depth: number): void {
    const origin = this.evaluate(pipeline, scope, depth);
    if (pipeline.variables.length === 0) this.use(origin);
    else
      assign(
        pipeline,
        pipeline.variables.map(() => origin),
        scope,
      );
  }

  private readBlock(
    node: Extract<TemplateNode, { body: unknown; otherwise: unknown }>,
    scope: Scope,
    depth: number,
  ): void {
    const origin = this.evaluate(node.pipeline, scope, depth);
    this.test(origin);
    const inner = { dot: scope.dot, variables: new Map(scope.variables) };
    const item = node.kind === 'range' ? itemOf(origin) : origin;
    const { variables } = node.pipeline;
    if (variables.length > 0)
      assign(
        node.pipeline,
        variables.map((_, index) => (index === variables.length - 1 ? item : NOWHERE)),
        inner,
      );
    const body = { ...inner, dot: node.kind === 'if' ? scope.dot : item };
    this.read(node.body, body, depth + 1);
    // A variable that the body assigns has another origin in the next round.
    if (node.kind === 'range') this.read(node.body, body, depth + 1);
    this.read(node.otherwise, { dot: scope.dot, variables: new Map(inner.variables) }, depth + 1);
  }

  private evaluate({ commands }: Pick<Pipeline, 'commands'>, scope: Scope, depth: number): ValueOrigin {
    let piped: ValueOrigin | undefined;
    for (const command of commands) piped = this.call(command, piped, scope, depth);
    return piped ?? NOWHERE;
  }

  private call(
    [first, ...rest]: readonly Operand[],
    piped: ValueOrigin | undefined,
    scope: Scope,
    depth: number,
  ): ValueOrigin {
    if (first === undefined) return NOWHERE;
    if (first.kind !== 'function') {
      const origin = this.operand(first, scope, depth);
      // A value with arguments is a method, such as `.Files.Get` or `.Capabilities.APIVersions.Has`.
      for (const argument of rest) this.use(this.operand(argument, scope, depth));
      return origin;
    }
    const args = rest.map((operand) => this.operand(operand, scope, depth));
    const all = piped === undefined ? args : [...args, piped];
    return this.apply(first.name, rest, all, depth);
  }

  private operand(operand: Operand, scope: Scope, depth: number): ValueOrigin {
    switch (operand.kind) {
      case 'dot':
        return operand.fields.reduce(fieldOf, scope.dot);
      case 'variable':
        return operand.fields.reduce(fieldOf, scope.variables.get(operand.name)?.origin ?? NOWHERE);
      case 'group':
        return operand.fields.reduce(fieldOf, this.evaluate(operand.pipeline, scope, depth));
      case 'literal':
        return NOWHERE;
      case 'function':
        return this.apply(operand.name, [], [], depth);
    }
  }

  private apply(name: string, operands: readonly Operand[], args: readonly ValueOrigin[], depth: number): ValueOrigin {
    const texts = operands.map((operand) => (operand.kind === 'literal' ? operand.text : undefined));
    if (name === 'include') return this.includeNamed(texts[0], args, depth);
    if (name === 'tpl') {
      this.use(args[0] ?? NOWHERE);
      return NOWHERE;
    }
    if (name === 'dict') return dictOf(texts, args);
    if (LISTS.has(name)) return name === 'values' ? itemOf(unionOf([NOWHERE, ...args])) : listOf(name, args);
    if (MERGES.has(name)) return this.merged(args);
    if (name === 'set') return this.withField(texts[1], args);
    if (name === 'get' || name === 'index') return this.selected(args[0] ?? NOWHERE, texts.slice(1), args.slice(1));
    if (name === 'dig') return this.dug(texts, args);
    if (name === 'pluck')
      return unionOf([NOWHERE, ...args.slice(1).map((map) => this.selected(map, [texts[0]], [args[0]]))]);
    if (name === 'hasKey') {
      this.test(this.selected(args[0] ?? NOWHERE, [texts[1]], args.slice(1)));
      return NOWHERE;
    }
    if (TESTS.has(name)) {
      for (const argument of args) this.test(argument);
      return NOWHERE;
    }
    if (SELECTIONS.has(name)) {
      for (const argument of args) this.test(argument);
      return unionOf([NOWHERE, ...args, ...(SELECTIONS_OF_ITEMS.has(name) ? args.map(itemOf) : [])]);
    }
    for (const argument of args) this.use(argument);
    return NOWHERE;
  }

  private includeNamed(
    name: string | undefined,
    [first, context = NOWHERE]: readonly ValueOrigin[],
    depth: number,
  ): ValueOrigin {
    this.use(first ?? NOWHERE);
    if (name !== undefined) this.include(name, context, depth);
    // Names such as `print $.Template.BasePath "/a.yaml"` are those of templates, which are read anyway.
    else for (const own of this.definitions.keys()) this.include(own, context, depth);
    return NOWHERE;
  }

  private include(name: string, context: ValueOrigin, depth: number): void {
    const body = this.definitions.get(name);
    if (body === undefined) return;
    const isPlain = context.composites.length === 0;
    const key = JSON.stringify([name, context.paths, context.roots]);
    if (isPlain && this.included.has(key)) return;
    if (isPlain) this.included.add(key);
    this.read(body, scopeWith(context), depth + 1);
  }

  /** A merge changes its first argument: it may then have what the others have. */
  private merged(args: readonly ValueOrigin[]): ValueOrigin {
    const [target = NOWHERE, ...others] = args;
    for (const composite of target.composites) composite.rest = unionOf([composite.rest, ...others.flatMap(partsOf)]);
    if (target.paths.length > 0 || target.roots.length > 0) for (const other of others) this.use(other);
    return unionOf([NOWHERE, ...args]);
  }

  private withField(
    name: string | undefined,
    [target = NOWHERE, , value = NOWHERE]: readonly ValueOrigin[],
  ): ValueOrigin {
    for (const composite of target.composites) {
      if (name === undefined) composite.rest = unionOf([composite.rest, value]);
      else composite.fields.set(name, unionOf([composite.fields.get(name) ?? NOWHERE, value]));
    }
    if (target.paths.length > 0 || target.roots.length > 0) this.use(value);
    return target;
  }

  private selected(
    map: ValueOrigin,
    names: ReadonlyArray<string | undefined>,
    keys: readonly ValueOrigin[],
  ): ValueOrigin {
    return keys.reduce((origin, key, index) => {
      this.use(key);
      const name = names[index];
      return name === undefined ? itemOf(origin) : fieldOf(origin, name);
    }, map);
  }

  /** `dig "a" "b" default map`. */
  private dug(texts: ReadonlyArray<string | undefined>, args: readonly ValueOrigin[]): ValueOrigin {
    const map = args[args.length - 1] ?? NOWHERE;
    const fallback = args[args.length - 2] ?? NOWHERE;
    const found = this.selected(map, texts, args.slice(0, -2));
    return unionOf([found, fallback]);
  }

  /** @param seen dictionaries that need no second visit: several may contain the same one, or one itself */
  private use(origin: ValueOrigin, seen = new Set<Composite>()): void {
    if (origin.roots.length > 0) throw new TemplateSyntaxError('a function gets all values');
    for (const path of origin.paths) this.whole.set(JSON.stringify(path), path);
    for (const composite of origin.composites) {
      if (seen.has(composite)) continue;
      seen.add(composite);
      this.step();
      for (const member of membersOf(composite)) this.use(member, seen);
    }
  }

  private step(): void {
    if (++this.steps > MOST_STEPS) throw new TemplateSyntaxError('the templates are too large');
  }

  private test(origin: ValueOrigin): void {
    for (const path of origin.paths) this.tested.set(JSON.stringify(path), path);
  }
}

/** Functions that return an item of a list. */
const SELECTIONS_OF_ITEMS: ReadonlySet<string> = new Set(['first', 'last', 'mustFirst', 'mustLast']);

function scopeWith(dot: ValueOrigin): Scope {
  return { dot, variables: new Map([['$', { origin: dot }]]) };
}

function assign({ variables, isDeclaration }: Pipeline, origins: readonly ValueOrigin[], scope: Scope): void {
  variables.forEach((name, index) => {
    const known = scope.variables.get(name);
    if (isDeclaration || known === undefined) scope.variables.set(name, { origin: origins[index] });
    else known.origin = unionOf([known.origin, origins[index]]);
  });
}

function dictOf(texts: ReadonlyArray<string | undefined>, args: readonly ValueOrigin[]): ValueOrigin {
  const fields = new Map<string, ValueOrigin>();
  const rest: ValueOrigin[] = [];
  for (let index = 0; index + 1 < args.length; index += 2) {
    const name = texts[index];
    if (name === undefined) rest.push(args[index + 1]);
    else fields.set(name, args[index + 1]);
  }
  return compositeOf(rest, fields);
}

function listOf(name: string, args: readonly ValueOrigin[]): ValueOrigin {
  if (name === 'list' || name === 'tuple') return compositeOf(args);
  return compositeOf([...args, ...args.map(itemOf)]);
}

/** What a map of the origin may have, as far as it is known. */
function partsOf(origin: ValueOrigin): ValueOrigin[] {
  return [itemOf(origin), ...origin.composites.flatMap(membersOf)];
}
