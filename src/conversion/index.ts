export { v1ObjectsOf } from './legacy-converter';
export type { ConversionNote, ConversionOptions } from './note';
export { joinYaml, upgrade } from './upgrade';
export type { UnreadableInput, Upgrade } from './upgrade';
export { writeTypeScript } from './typescript/write-typescript';
export type { TypeScriptProgram } from './typescript/write-typescript';
