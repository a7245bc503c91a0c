import { ClusterLog } from './cluster-log';
import { ClusterPod } from './cluster-pod';
import { PodControllers } from './pod-controllers';
import { withHeldResources } from './running-requests';
import { asRecord } from '../../contract';
import { PodShape } from '../../scheduling';
import { FieldReader } from '../manifest/field-reader';
import { PodSurroundings, readPodShape } from '../manifest/pod-shape';
import { PlainRecord } from '../manifest/records';

/** The API server has long added what it adds. */
const ADMITTED: PodSurroundings['admission'] = {
  containerDefaults: () => ({ requests: new Map(), limits: new Map() }),
  runtimeClass: () => ({}),
};

/** What decides where pods of the cluster can run; undefined, and logged, for one that cannot be read. */
export class PodShapes {
  public constructor(
    private readonly around: Omit<PodSurroundings, 'admission'>, private readonly controllers: PodControllers, private readonly log: ClusterLog,
  ) {}

  /** Of a pod that stays where it is. */
  public running(pod: ClusterPod): PodShape | undefined {
    return this.read(pod, withHeldResources(specOf(pod), asRecord(pod.object.raw.status) ?? {}));
  }

  /** Of a pod that needs a node: its own, if it has one, goes. */
  public waiting(pod: ClusterPod): PodShape | undefined {
    const { nodeName, ...spec } = withHeldResources(specOf(pod), asRecord(pod.object.raw.status) ?? {});
    return this.read(pod, spec);
  }

  private read(pod: ClusterPod, spec: PlainRecord): PodShape | undefined {
    const { namespace, name, labels } = pod;
    const reader = new FieldReader(pod.object, this.log);
    const context = { namespace, name, templates: [], labels, ...this.controllers.of(pod) };
    return readPodShape(reader, ['spec'], spec, context, { ...this.around, admission: ADMITTED });
  }
}

function specOf({ object }: ClusterPod): PlainRecord {
  return asRecord(object.raw.spec) ?? {};
}
