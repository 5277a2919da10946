/** The parts of Kubernetes' objects that the tests of the chart look at. */

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own; the tests say which
  readonly spec?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly data?: any;
  readonly automountServiceAccountToken?: boolean;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

type Probe = Readonly<Record<"httpGet" | "tcpSocket" | "exec", { readonly port?: string; readonly path?: string }>>;

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly restartPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvironmentVariable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

export interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly sizeLimit?: string };
  readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly key: string }[] };
  readonly configMap?: { readonly name: string };
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

export interface PodSpec {
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
}

export interface PodOf {
  /** `Deployment/packshot-api` */
  readonly owner: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  readonly object: KubernetesObject;
}

/** The pods that the objects make. */
export function podsOf(objects: readonly KubernetesObject[]): PodOf[] {
  return objects.flatMap((object) => {
    const template = object.kind === "Pod" ? object : object.spec?.template;
    if (template?.spec?.containers === undefined) return [];
    const { labels = {}, annotations = {} } = template.metadata;
    return [{ owner: `${object.kind}/${object.metadata.name}`, labels, annotations, spec: template.spec, object }];
  });
}

export function containersOf({ spec }: PodOf): readonly Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}

/** Containers that serve: those of a job, of a test, and init containers that end have no probes. */
export function servingContainers(pod: PodOf): readonly Container[] {
  if (pod.object.kind === "Job" || pod.object.kind === "Pod") return [];
  return [...pod.spec.containers, ...(pod.spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy)];
}

export function matches(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}

export function ofKind(objects: readonly KubernetesObject[], kind: string): KubernetesObject[] {
  return objects.filter((object) => object.kind === kind);
}
