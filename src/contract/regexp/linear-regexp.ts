import { compile, Instruction } from './program';
import { parsePattern } from './syntax';

/**
 * A regular expression with the meaning that Go gives it, and Go's guarantee: the time it takes grows with the length
 * of the text alone, however hostile the text or the pattern. All possible ways are followed at once, character by
 * character.
 */
export class LinearRegExp {
  /** @throws UnsupportedPattern if the pattern has syntax that is not read here */
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
    for (let at = 0; ; at += width(text, at)) {
      const ready: Thread[] = [];
      this.round++;
      for (const thread of threads) this.follow(thread.at, thread.begin, at, text, ready);
      if (!best) this.follow(0, at, at, text, ready);
      const code = text.codePointAt(at);
      threads = [];
      for (const { at: index, begin } of ready) {
        const instruction = this.program[index];
        if (instruction.kind === 'match') {
          best = [begin, at];
          if (anyMatch) return '';
          // What comes after is of lower preference.
          break;
        }
        if (instruction.kind === 'set' && code !== undefined && matches(instruction, code)) threads.push({ at: instruction.next, begin });
      }
      if (code === undefined || (threads.length === 0 && (best || this.onlyAtBegin()))) break;
    }
    return best && text.slice(best[0], best[1]);
  }

  /** Adds the instructions that wait for a character, in the order of their preference. */
  private follow(start: number, begin: number, at: number, text: string, ready: Thread[]): void {
    const pending = [start];
    while (pending.length > 0) {
      const index = pending.pop()!;
      if (this.seen[index] === this.round) continue;
      this.seen[index] = this.round;
      const instruction = this.program[index];
      if (instruction.kind === 'fork') {pending.push(instruction.other, instruction.next);} else if (instruction.kind === 'begin') { if (at === 0) pending.push(instruction.next); } else if (instruction.kind === 'end') { if (at === text.length) pending.push(instruction.next); } else {ready.push({ at: index, begin });}
    }
  }

  private onlyAtBegin(): boolean {
    return this.program[0].kind === 'begin';
  }
}

interface Thread { readonly at: number; readonly begin: number }

function matches({ ranges, negated }: Extract<Instruction, { kind: 'set' }>, code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last) !== negated;
}

function width(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
