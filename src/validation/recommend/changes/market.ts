import { plainFamilies, typesOfFamilies } from './families';
import { PoolChange } from './pool-change';
import { PoolDraft, WrittenRequirement } from './pool-draft';
import { asRecord } from '../../../contract';
import { Label, listText, shortListText } from '../../../model';
import { ManifestModel, WorkloadManifest } from '../../manifest';
import { recordsOf } from '../../manifest/records';
import { imagesOf } from '../../rules/common/ordinary-pods';
import { requirementAlternatives } from '../../rules/common/pod-constraints';
import { areImagesForArm64, imagesSelectedForArm64 } from '../../rules/instance-selection/multi-arch-images';

const ARM64 = 'arm64';
const SHOWN_IMAGES = 4;

/** Spot, arm64 and further zones, where the NodePool leaves them out. */
export function marketChanges(draft: PoolDraft, zones: readonly string[], model: ManifestModel): PoolChange[] {
  return [...spot(draft), ...arm64(draft, model), ...moreZones(draft, zones)];
}

function spot(draft: PoolDraft): PoolChange[] {
  const requirement = draft.listed(Label.CAPACITY_TYPE);
  if (requirement === undefined || requirement.values.includes('spot')) return [];
  return [
    draft.widened(
      {
        description: 'allow spot as well',
        subject: 'capacity types',
        consent: 'spot',
        condition: 'EC2 interrupts spot instances with two minutes of notice.',
      },
      { requirement, added: ['spot'] },
    ),
  ];
}

/** Only if the input shows that all images run on arm64, and Karpenter finds AMIs of both architectures. */
function arm64(draft: PoolDraft, model: ManifestModel): PoolChange[] {
  const requirement = draft.listed(Label.ARCH);
  if (requirement === undefined || requirement.values.includes(ARM64) || !hasImagesOfBoth(draft, model)) return [];
  const workloads = model.workloads.filter((workload) => !selectsArchitecture(workload));
  const selected = imagesSelectedForArm64(model.workloads);
  if (workloads.length === 0 || !workloads.every((workload) => areImagesForArm64(workload, selected))) return [];
  const images = [...new Set(workloads.flatMap(imagesOf))].sort();
  const more = graviton(draft);
  return [
    draft.widened(
      {
        description: `allow arm64 as well${more.length === 0 ? '' : `, with ${listText(more.map(({ noun }) => noun))} for it`}`,
        subject: 'architectures',
        consent: ARM64,
        condition: `These images must run on arm64, which their names or publishers say: ${shortListText(images, SHOWN_IMAGES)}.`,
      },
      { requirement, added: [ARM64] },
      ...more,
    ),
  ];
}

/** Values for arm64 in the lists of families and types, without which no arm64 node is allowed. */
function graviton(
  draft: PoolDraft,
): Array<{ readonly requirement: WrittenRequirement; readonly added: readonly string[]; readonly noun: string }> {
  const families = draft.listed(Label.INSTANCE_FAMILY);
  const types = draft.listed(Label.INSTANCE_TYPE);
  const parts = (index: number) => [...new Set(types?.values.map((name) => name.split('.')[index]))];
  return [
    { requirement: families, added: plainFamilies(draft, families?.values ?? [], [ARM64]), noun: 'families' },
    {
      requirement: types,
      added: typesOfFamilies(draft, plainFamilies(draft, parts(0), [ARM64]), parts(1)),
      noun: 'instance types',
    },
  ].flatMap(({ requirement, added, noun }) =>
    requirement === undefined || added.length === 0 ? [] : [{ requirement, added, noun }],
  );
}

function hasImagesOfBoth({ spec }: PoolDraft, { nodeClasses }: ManifestModel): boolean {
  const terms = recordsOf(
    asRecord(nodeClasses.find(({ object }) => object.name === spec.nodeClass)?.object.raw.spec)?.amiSelectorTerms,
  );
  return terms.length > 0 && terms.every(({ alias }) => typeof alias === 'string' && !alias.startsWith('windows'));
}

function selectsArchitecture({ shape }: WorkloadManifest): boolean {
  return (
    shape !== undefined && requirementAlternatives(shape).every((specs) => specs.some(({ key }) => key === Label.ARCH))
  );
}

function moreZones(draft: PoolDraft, zones: readonly string[]): PoolChange[] {
  const requirement = draft.listed(Label.ZONE);
  const added = zones.filter((zone) => !requirement?.values.includes(zone));
  if (requirement === undefined || added.length === 0) return [];
  return [draft.widened({ description: `allow ${listText(added)} as well`, subject: 'zones' }, { requirement, added })];
}
