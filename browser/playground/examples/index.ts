import badYaml from './bad-yaml.yaml';
import blockedPdb from './blocked-pdb.yaml';
import largePod from './large-pod.yaml';
import quickstart from './quickstart.yaml';
import spotOnly from './spot-only.yaml';
import typo from './typo.yaml';

export interface Example {
  /** The name in links: `#example=quickstart`. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** The first one is shown if nothing else is asked for. */
export const EXAMPLES: readonly Example[] = [
  { id: 'quickstart', title: 'Quickstart: a web server and its nodes', text: quickstart },
  { id: 'large-pod', title: 'A pod that fits on no node', text: largePod },
  { id: 'blocked-pdb', title: 'A PodDisruptionBudget that blocks draining', text: blockedPdb },
  { id: 'spot-only', title: 'One replica on spot only', text: spotOnly },
  { id: 'typo', title: 'A misspelt field', text: typo },
  { id: 'bad-yaml', title: 'YAML that cannot be read', text: badYaml },
];
