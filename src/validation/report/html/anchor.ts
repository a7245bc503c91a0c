/**
 * The id of an element about an object: letters, digits, `-`, `_` and `.` of the name stay, others are written as
 * their code. Different names have different ids.
 *
 * @param kind distinguishes objects of different kinds with the same name
 */
export function anchor(kind: 'node' | 'pool' | 'workload' | 'rule' | 'scenario', name: string): string {
  return `${kind}-${name.replace(/[^A-Za-z0-9_.-]/g, (character) => `~${character.charCodeAt(0).toString(16)}`)}`;
}
