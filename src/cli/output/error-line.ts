import { printableLine } from '../../model';
import { Io } from '../io';

/** Writes one line to standard error. Names in the text cannot begin another line, or control the terminal. */
export function writeErrorLine(io: Pick<Io, 'writeError'>, text: string): void {
  io.writeError(`${printableLine(text)}\n`);
}
