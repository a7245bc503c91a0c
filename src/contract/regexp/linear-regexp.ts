import { isWordCharacter } from './character-classes';
import { Anchor, CharacterSet, parsePattern, RegexpSyntax, InvalidPattern } from './syntax';

/** One instruction of a program. A `fork` prefers `next` to `alternative`. */
type Instruction =
  | (CharacterSet & { next: number })
  | { readonly kind: Anchor; next: number }
  | { readonly kind: 'fork'; next: number; alternative: number }
  | { readonly kind: 'match' };

const MAX_INSTRUCTIONS = 20_000;

/** Compiles an expression to instructions. Execution starts at the first instruction. */
function compile(expression: RegexpSyntax): Instruction[] {
  return new Compiler().compile(expression);
}

/** Compiles from the end of the expression: each part gets the index of the instruction that follows. */
class Compiler {
  private readonly instructions: Instruction[] = [{ kind: 'match' }];

  public compile(expression: RegexpSyntax): Instruction[] {
    const start = this.add(expression, 0);
    const renumber = (index: number) => (index === start ? 0 : index === 0 ? start : index);
    const moved = [...this.instructions];
    [moved[0], moved[start]] = [moved[start], moved[0]];
    return moved.map((instruction) => {
      if (instruction.kind === 'match') return instruction;
      if (instruction.kind === 'fork')
        return { ...instruction, next: renumber(instruction.next), alternative: renumber(instruction.alternative) };
      return { ...instruction, next: renumber(instruction.next) };
    });
  }

  private add(expression: RegexpSyntax, next: number): number {
    switch (expression.kind) {
      case 'set':
        return this.push({ ...expression, next });
      case 'sequence':
        return expression.parts.reduceRight((after, part) => this.add(part, after), next);
      case 'choice': {
        const starts = expression.parts.map((part) => this.add(part, next));
        return starts.reduceRight((alternative, start) => this.push({ kind: 'fork', next: start, alternative }));
      }
      case 'repeat':
        return this.repeat(expression, next);
      default:
        return this.push({ kind: expression.kind, next });
    }
  }

  private repeat({ part, min, max, lazy }: Extract<RegexpSyntax, { kind: 'repeat' }>, next: number): number {
    let after = next;
    if (max === Infinity) {
      const loop = { kind: 'fork', next, alternative: next } as Extract<Instruction, { kind: 'fork' }>;
      after = this.push(loop);
      const body = this.add(part, after);
      if (lazy) loop.alternative = body;
      else loop.next = body;
    } else {
      for (let i = min; i < max; i++) {
        const body = this.add(part, after);
        after = this.push({
          kind: 'fork',
          ...(lazy ? { next, alternative: body } : { next: body, alternative: next }),
        });
      }
    }
    for (let i = 0; i < min; i++) after = this.add(part, after);
    return after;
  }

  private push(instruction: Instruction): number {
    if (this.instructions.length >= MAX_INSTRUCTIONS) throw new InvalidPattern('the pattern is too large');
    return this.instructions.push(instruction) - 1;
  }
}

/**
 * A regular expression with Go's meaning and Go's guarantee: matching time is linear in the length of the text, even
 * for hostile texts and patterns. The matcher advances all possible threads at once, one character at a time.
 */
export class LinearRegExp {
  /** @throws InvalidPattern */
  public static compile(pattern: string): LinearRegExp {
    return new LinearRegExp(compile(parsePattern(pattern)));
  }

  private readonly seen: Uint32Array;
  private round = 0;

  private constructor(private readonly program: readonly Instruction[]) {
    this.seen = new Uint32Array(program.length);
  }

  /** Instructions of the program: the most work for one character of a text. */
  public get size(): number {
    return this.program.length;
  }

  public test(text: string): boolean {
    return this.run(text, true) !== undefined;
  }

  /** The leftmost match. If several begin there, the match that a backtracking search would find first. */
  public find(text: string): string | undefined {
    return this.run(text, false);
  }

  private run(text: string, anyMatch: boolean): string | undefined {
    let threads: Thread[] = [];
    let best: readonly [number, number] | undefined;
    this.round = 0;
    this.seen.fill(0);
    for (let position = 0; ; position += width(text, position)) {
      const ready: Thread[] = [];
      this.round++;
      for (const thread of threads) this.follow(thread.index, thread.begin, position, text, ready);
      if (!best) this.follow(0, position, position, text, ready);
      const code = text.codePointAt(position);
      threads = [];
      for (const { index, begin } of ready) {
        const instruction = this.program[index];
        if (instruction.kind === 'match') {
          best = [begin, position];
          if (anyMatch) return '';
          // The remaining threads have lower preference.
          break;
        }
        if (instruction.kind === 'set' && code !== undefined && matches(instruction, code))
          threads.push({ index: instruction.next, begin });
      }
      if (code === undefined || (threads.length === 0 && (best || this.onlyAtBegin()))) break;
    }
    return best && text.slice(best[0], best[1]);
  }

  /** Adds the instructions that consume a character, in order of preference. */
  private follow(start: number, begin: number, position: number, text: string, ready: Thread[]): void {
    const pending = [start];
    while (pending.length > 0) {
      const index = pending.pop()!;
      if (this.seen[index] === this.round) continue;
      this.seen[index] = this.round;
      const instruction = this.program[index];
      switch (instruction.kind) {
        case 'fork':
          pending.push(instruction.alternative, instruction.next);
          break;
        case 'set':
        case 'match':
          ready.push({ index, begin });
          break;
        default:
          if (holds(instruction.kind, text, position)) pending.push(instruction.next);
      }
    }
  }

  private onlyAtBegin(): boolean {
    return this.program[0].kind === 'begin';
  }
}

/** `index` is the next instruction, `begin` the start of the match in the text. */
interface Thread {
  readonly index: number;
  readonly begin: number;
}

function matches(set: CharacterSet, code: number): boolean {
  return (set.folded ? matchesFolded(set, code) : isInside(set, code)) !== set.negated;
}

function isInside({ ranges }: CharacterSet, code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last);
}

const foldedSets = new WeakMap<CharacterSet, RegExp>();

/** JavaScript folds the case of one character as Go does. */
function matchesFolded(set: CharacterSet, code: number): boolean {
  let pattern = foldedSets.get(set);
  if (!pattern) {
    const ranges = set.ranges.map((range) => range.map((bound) => `\\u{${bound.toString(16)}}`).join('-'));
    pattern = new RegExp(`[${ranges.join('')}]`, 'iu');
    foldedSets.set(set, pattern);
  }
  return pattern.test(String.fromCodePoint(code));
}

function holds(anchor: Anchor, text: string, position: number): boolean {
  switch (anchor) {
    case 'begin':
      return position === 0;
    case 'end':
      return position === text.length;
    case 'line-begin':
      return position === 0 || text[position - 1] === '\n';
    case 'line-end':
      return position === text.length || text[position] === '\n';
    default: {
      // All characters of words are ASCII, so a half of a surrogate pair is none.
      const isEdge = isWordCharacter(text.charCodeAt(position - 1)) !== isWordCharacter(text.charCodeAt(position));
      return isEdge === (anchor === 'word-edge');
    }
  }
}

/** UTF-16 units of the character at a position. */
function width(text: string, position: number): number {
  return (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}
