import { Anchor, CharacterSet, RegexpSyntax, InvalidPattern } from './syntax';

/** One instruction of a program. A `fork` prefers `next` to `alternative`. */
export type Instruction =
  | (CharacterSet & { next: number })
  | { readonly kind: Anchor; next: number }
  | { readonly kind: 'fork'; next: number; alternative: number }
  | { readonly kind: 'match' };

const MAX_INSTRUCTIONS = 20_000;

/** Compiles an expression to instructions. Execution starts at the first instruction. */
export function compile(expression: RegexpSyntax): Instruction[] {
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
