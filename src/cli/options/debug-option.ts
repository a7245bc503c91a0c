import type { Command } from 'commander';
import { printableLine } from '../../model';
import { Io } from '../io';
import { lazy } from '../lazy';

export const DEBUG = '--debug';

/** Adds `--debug` to all commands: any of them may have an error of this program. */
export function addDebugOption(program: Command): void {
  for (const command of program.commands) {
    if (command.commands.length === 0) command.option(DEBUG, 'print the stack trace of an internal error');
    addDebugOption(command);
  }
}

/** Writes where an unexpected error is from. Lines are indented, so that a CI runner follows none. */
export function writeStackTrace(error: unknown, io: Pick<Io, 'writeError'>): void {
  const { stack = 'no stack trace' } = error instanceof Error ? error : {};
  io.writeError(
    stack
      .split('\n')
      .map((line) => `  ${printableLine(line)}\n`)
      .join(''),
  );
}

/** Writes that a command has ended with an unexpected error. */
export function writeInternalError(error: unknown, isDebug: boolean, io: Pick<Io, 'writeError'>): void {
  const { internalErrorText, INTERNAL_ERROR_REMEDY } = lazy.validation;
  io.writeError(`error: ${printableLine(`${internalErrorText(error)}; ${INTERNAL_ERROR_REMEDY}`)}\n`);
  if (isDebug) writeStackTrace(error, io);
}
