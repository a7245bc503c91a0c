import { compile, Instruction } from './program';
import { parsePattern } from './syntax';

/**
 * A regular expression with Go's meaning and Go's guarantee: matching time is linear in the length of the text, even
 * for hostile texts and patterns. The matcher advances all possible threads at once, one character at a time.
 */
export class LinearRegExp {
  /** @throws UnsupportedPattern if the pattern uses syntax outside the supported subset */
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
        case 'begin':
          if (position === 0) pending.push(instruction.next);
          break;
        case 'end':
          if (position === text.length) pending.push(instruction.next);
          break;
        default:
          ready.push({ index, begin });
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

function matches({ ranges, negated }: Extract<Instruction, { kind: 'set' }>, code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last) !== negated;
}

/** UTF-16 units of the character at a position. */
function width(text: string, position: number): number {
  return (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}
