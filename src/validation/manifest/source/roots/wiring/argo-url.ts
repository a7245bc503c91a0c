import { KARPENTER_REGISTRY } from './flux-charts';
import { isFilledLater } from './wired-objects';
import { PlainRecord, scalarText } from '../../../records';

/** Why Argo CD cannot use the URL of a source, and what to write; undefined if it can. */
export function wrongUrl({ repoURL, chart, path, ref }: PlainRecord): { why: string; remedy: string } | undefined {
  if (typeof repoURL !== 'string' || [repoURL, scalarText(chart), scalarText(path)].some(isFilledLater))
    return undefined;
  const [, scheme = '', rest] = /^([a-z]+:\/\/)?(.*?)\/*$/.exec(repoURL)!;
  const named = typeof chart === 'string' && chart !== '' ? chart : undefined;
  const isDoubled = rest.startsWith(`${KARPENTER_REGISTRY}/`);
  if (scheme === 'oci://' && named !== undefined) {
    const artifact = isDoubled ? rest : `${rest}/${named}`;
    return {
      why: 'a chart cannot be read from an oci:// URL: Argo CD up to 3.0 finds no chart repository there, and later releases ignore chart',
      remedy: `write repoURL: ${isDoubled ? KARPENTER_REGISTRY : rest}; from Argo CD 3.1 on, repoURL: oci://${artifact} with path: . and without chart is as good`,
    };
  }
  if (scheme === 'oci://' && path === undefined && ref === undefined)
    return { why: 'a source with an oci:// URL needs a path', remedy: 'write path: . beside repoURL' };
  if (scheme === 'oci://' && rest === KARPENTER_REGISTRY)
    return {
      why: 'the oci:// URL names a registry and no chart',
      remedy: `write repoURL: oci://${KARPENTER_REGISTRY}/karpenter`,
    };
  if (named === undefined) return undefined;
  if (/^https?:\/\/$/.test(scheme) && rest.startsWith('public.ecr.aws/'))
    return {
      why: 'a registry has no index of charts for https, and Argo CD finds none',
      remedy: `write repoURL: ${rest}`,
    };
  if (isDoubled && /^karpenter(-crd)?$/.test(named))
    return {
      why: `the URL ends with the name of a chart, and Argo CD adds ${named} to it: ${rest}/${named} does not exist`,
      remedy: `write repoURL: ${KARPENTER_REGISTRY}`,
    };
  return undefined;
}
