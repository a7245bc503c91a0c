export { bashCompletion } from './bash';
export { completedCommands } from './command-line';
export { fishCompletion } from './fish';
export { zshCompletion } from './zsh';
