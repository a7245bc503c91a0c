import { DisruptionDraft, DisruptionFeature, someOf } from './draft';
import {
  HashAnnotations,
  NODE_CLASS_HASH,
  NODE_CLASS_HASH_VERSION,
  NODE_POOL_HASH,
  NODE_POOL_HASH_VERSION,
  nodeClassHash,
  nodePoolHash,
} from '../../../src/contract';
import { Json, poolTemplate } from '../schedule-scenario/draft';
import { inOneOf } from '../schedule-scenario/pools';

/** The oracle's CA bundle of the cluster. */
const CERTIFICATE = 'certificate';
const OLD_VERSION = 'v1';

type Change = (spec: Json) => void;

/** Changes of fields that are part of the hash, of fields that are not, and changes without effect. */
const POOL_CHANGES: readonly Change[] = [
  ({ template }) => {
    template.metadata.labels = { ...template.metadata.labels, stage: 'new' };
  },
  ({ template }) => {
    template.metadata.annotations = { note: 'new' };
  },
  ({ template: { spec } }) => {
    spec.taints = [...(spec.taints ?? []), { key: 'changed', effect: 'PreferNoSchedule' }];
  },
  ({ template: { spec } }) => {
    spec.startupTaints = [{ key: 'changed', value: 'yes', effect: 'NoSchedule' }];
  },
  ({ template: { spec } }) => {
    spec.expireAfter = '720h';
  },
  ({ template: { spec } }) => {
    spec.expireAfter = '48h0m0s';
  },
  ({ template: { spec } }) => {
    spec.expireAfter = 'Never';
  },
  ({ template: { spec } }) => {
    spec.terminationGracePeriod = '2h';
  },
  ({ template: { spec } }) => {
    spec.taints &&= [...spec.taints].reverse();
  },
  ({ template: { spec } }) => {
    spec.requirements = [...spec.requirements, inOneOf('topology.kubernetes.io/zone', 'us-east-1a', 'us-east-1b')];
  },
  ({ template: { spec } }) => {
    spec.requirements = [...spec.requirements, inOneOf('kubernetes.io/arch', 'amd64')];
  },
  ({ template: { spec } }) => {
    spec.requirements = [
      ...spec.requirements,
      { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Lt', values: ['9'] },
    ];
  },
  ({ template: { spec } }) => {
    spec.requirements = [...spec.requirements, inOneOf('karpenter.sh/capacity-type', 'on-demand')];
  },
  ({ template: { spec } }) => {
    spec.requirements = [...spec.requirements, inOneOf('example.com/team', 'a')];
  },
  (spec) => {
    spec.disruption = { ...spec.disruption, consolidateAfter: '17m' };
  },
];

const CLASS_CHANGES: readonly Change[] = [
  (spec) => {
    spec.tags = { ...spec.tags, team: 'a' };
  },
  (spec) => {
    spec.userData = `${spec.userData ?? ''}\necho changed`;
  },
  (spec) => {
    spec.detailedMonitoring = spec.detailedMonitoring !== true;
  },
  (spec) => {
    spec.detailedMonitoring ??= false;
  },
  (spec) => {
    spec.associatePublicIPAddress = false;
  },
  (spec) => {
    spec.blockDeviceMappings = [{ deviceName: '/dev/xvda', ebs: { volumeSize: '40Gi', encrypted: true } }];
  },
  (spec) => {
    spec.metadataOptions = { httpTokens: 'required', httpPutResponseHopLimit: 3 };
  },
  (spec) => {
    spec.metadataOptions = {
      httpEndpoint: 'enabled',
      httpProtocolIPv6: 'disabled',
      httpPutResponseHopLimit: 1,
      httpTokens: 'required',
    };
  },
  (spec) => {
    spec.kubelet = { ...spec.kubelet, maxPods: 37 };
  },
  (spec) => {
    spec.subnetSelectorTerms = [...spec.subnetSelectorTerms];
  },
];

/** Changes NodePools in the manifests while nodes run that were launched from the previous or an older version. */
const changedPools: DisruptionFeature = {
  name: 'changedPools',
  apply(draft) {
    const { dice, cluster, machines } = draft;
    for (const pool of someOf(draft, draft.pools)) {
      const before = structuredClone(pool);
      dice.pick(POOL_CHANGES)(pool.spec);
      const hash = nodePoolHash(before);
      cluster.push(annotated(before, NODE_POOL_HASH, hash, NODE_POOL_HASH_VERSION));
      for (const { claim, pool: launched } of machines) {
        if (!claim || launched !== pool.metadata.name) continue;
        launchedBy(
          claim,
          NODE_POOL_HASH,
          dice.pick([hash, hash, hash, nodePoolHash(pool), '1']),
          versionOf(draft, NODE_POOL_HASH_VERSION),
        );
      }
    }
  },
};

const changedClasses: DisruptionFeature = {
  name: 'changedClasses',
  apply(draft) {
    const { dice, cluster, machines, pools } = draft;
    for (const nodeClass of someOf(draft, draft.nodeClasses)) {
      const before = structuredClone(nodeClass);
      dice.pick(CLASS_CHANGES)(nodeClass.spec);
      const hash = nodeClassHash(before, CERTIFICATE);
      const known = cluster.findIndex(
        ({ kind, metadata }) => kind === 'EC2NodeClass' && metadata.name === nodeClass.metadata.name,
      );
      const there = annotated({ ...cluster[known], ...before }, NODE_CLASS_HASH, hash, NODE_CLASS_HASH_VERSION);
      if (known < 0) cluster.push(there);
      else cluster[known] = there;
      const own = pools.filter((pool) => poolTemplate(pool).spec.nodeClassRef.name === nodeClass.metadata.name);
      const names = own.map(({ metadata }) => metadata.name);
      for (const { claim, pool } of machines) {
        const launchHash = dice.pick([hash, hash, hash, nodeClassHash(nodeClass, CERTIFICATE), '1']);
        if (claim && names.includes(pool))
          launchedBy(claim, NODE_CLASS_HASH, launchHash, versionOf(draft, NODE_CLASS_HASH_VERSION));
      }
    }
  },
};

function annotated(object: Json, keys: HashAnnotations, hash: string, version: string): Json {
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, [keys.hash]: hash, [keys.version]: version },
    },
  };
}

function launchedBy(claim: Json, keys: HashAnnotations, hash: string, version: string): void {
  claim.metadata.annotations = { ...claim.metadata.annotations, [keys.hash]: hash, [keys.version]: version };
}

function versionOf({ dice }: DisruptionDraft, current: string): string {
  return dice.chance(0.05) ? OLD_VERSION : current;
}

/** Applied last, because the changes need existing nodes. */
export const CHANGE_FEATURES: readonly DisruptionFeature[] = [changedPools, changedClasses];
